"""
---
title: Neural networks to read
summary: Attention and transformers in PyTorch, written to be read beside their explanation.
---
# Neural networks to read

Every page of this library is one Python module. The explanation stands on the left, the code that
it explains on the right, and the code is the very file that you import.

* [Transformers](transformers/index.html): attention, the layers built on it, and the relative
  attention of Transformer-XL.

The modules need PyTorch and nothing else. Each ends with a small demonstration:
`python -m labml_nn.transformers.mha` runs the one of multi-head attention. Demonstrations print
tensors with the `labml` package, which is imported only there.
"""
