"""Files: how anything is read from the disk and written to it."""

MAX_BYTES = 32 * 2**20  # more than this of one file is refused by its reader
