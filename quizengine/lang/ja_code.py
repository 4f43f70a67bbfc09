"""Messages in Japanese on a learner's code: what does not fit the contract, and what became of a call."""

MESSAGES: dict[str, str] = {
    "check.line": "{line} 行目",
    "check.column": "{line} 行目の {column} 文字目",
    "check.cell": "セル {cell} の {place}",
    "check.raised": "{place}で {kind} が発生して止まりました：{message}",
    "check.raised-anywhere": "{kind} が発生して止まりました：{message}",
    "check.raised-text": "その行：{text}",
    # the file
    "check.long-file": "ファイルが 4 MB を超えています。関数だけを提出してください。",
    "check.not-python": "Python として読めないファイルです：{why}",
    "check.not-notebook": "ノートブックとして読めません（{why}）。Jupyter で保存し直してください。",
    "check.syntax": "{place}が Python の文法に合っていません：{why}。その行：{text}",
    "check.no-module": "{place}で読み込んでいるモジュール {module} は、ここでは使えません。quizengine を動かしている Python にインストールするか、コードを一つのファイルにまとめるか、NumPy だけで書いてください。",
    "check.nothing": "ファイルに関数がありません。「def」で関数を書くか、「forward」メソッドをもつクラスを書いてください。",
    "check.no-function": "ファイルに {function} がありません。定義されているもの：{names}",
    "check.which": "調べる関数の候補が複数あります：{names}。FILE:FUNCTION の形で一つ指定してください。",
    "check.init": "{name} のオブジェクトを引数なしでは作れません（{why}）。コンストラクタの引数に既定値をつけるか、関数として書いてください。",
    "check.too-long-load": "関数を呼び出す前に、ファイルの読み込みだけで {seconds} 秒たっても終わりませんでした。関数に必要のない処理は「if __name__ == '__main__':」の中に移してください。",
    # a call
    "check.signature": "関数の引数は {takes} ですが、（{given}）の順で渡されます。",
    "check.input": "{place}で入力を待っています。必要な値はすべて引数で渡されるので、input() を取り除いてください。",
    "check.too-long": "{seconds} 秒たっても終わりませんでした。終わらないループはありませんか。",
    "check.died": "何も返さないままプロセスが終了しました。Python を終了させている、メモリを使いすぎている、またはコンパイル済みのライブラリが異常終了したと考えられます。",
    "check.disk": "ファイルへの書き込みが {most} MB を超えて続いたため、止めました。",
    "check.wire": "結果を受け渡す通信路に割り込みがあったため、結果はどれも採用しません。自分で開いたファイル以外には書き込まないでください。",
    # what is returned
    "check.returned-nothing": "何も返していません（None）。最後の「return」を忘れていませんか。",
    "check.not-an-array": "実数の配列ではないものを返しています：{kind}",
    "check.ragged": "返された行の長さがそろっておらず、行列になりません。",
    "check.too-many": "{count} 個の配列を返しています。出力だけ、出力と重みの組、または段階名をキーとする辞書を返してください。",
    "check.not-named": "返された辞書のキーが名前ではなく {kind} 型です。「scores」「weights」「output」のような段階名にしてください。",
    "check.too-large": "数個の数を渡しただけなのに、返された配列が 128 MB を超えています。",
}
