"""The models that need no key and no network: every result is the same on every run and machine.

`choose` names the embedders, `embedder` and `onnx` hold them, `extractor` reads cues, tags, facts and
topics by rules, `times` resolves time expressions. Importing the package loads no weights.
"""
