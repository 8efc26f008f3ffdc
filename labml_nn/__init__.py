"""
---
title: Neural networks to read
summary: Attention and transformers in PyTorch, written to be read beside their explanation.
---
# Neural networks to read

Every page of this library is one Python module. The explanation stands on the left, the code that
it explains on the right, and the code is the very file that you import.

* [Transformers](transformers/index.html): attention, the layers built on it, and the whole model.
* [Self-attention from the ground up](transformers/self_attention/index.html): the same idea, from
  its simplest form to a classifier.
* [Transformer-XL](transformers/xl/index.html): relative attention, and a memory that reaches over
  the segments of a long text.

The modules need PyTorch and nothing else. Each module that defines a part of a model ends with a
small demonstration: `python -m labml_nn.transformers.mha` runs the one of multi-head attention.
Demonstrations print tensors with the `labml` package, which is imported only there.

Three of the pages are experiments. They train a small model in seconds on a CPU, on tasks that
they make themselves, with a [training loop](training.html) that also works with many processes and
after interruptions. What they have to show they return as [figures](figures.html).
"""
