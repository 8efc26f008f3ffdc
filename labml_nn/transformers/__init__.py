"""
---
title: Transformers
summary: The parts of a transformer and the models built from them, in reading order.
---
# Transformers

The parts of the model of [Attention Is All You Need](https://arxiv.org/abs/1706.03762), in the
order in which they are best read:

1. [Multi-head attention](mha.html): how a token takes from other tokens what it needs.
2. [Positional encoding](positional_encoding.html): how a token knows where it stands.
3. [Feed-forward network](feed_forward.html): what happens to each token by itself.
4. [Encoder and decoder](models.html): the layers, and the whole model.

[Transformer-XL](xl/index.html) continues from there, with attention that measures distances
instead of places.

All of them put the sequence first: a batch of token vectors has the shape
`[sequence, batch, d_model]`. Where a formula in the code names its axes, `i` is the query, `j` the
key, `b` the item of the batch, `h` the head and `d` the feature.
"""
