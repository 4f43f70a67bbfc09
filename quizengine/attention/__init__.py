"""The mathematics: arrays in, arrays out, any leading batch axes; it imports nothing of ours."""
