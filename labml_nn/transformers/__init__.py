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

Around the model:

* [Masks](masks.html): who may see whom.
* [Label smoothing](label_smoothing.html): a loss that does not ask for certainty.
* [Learning rate with warm-up](warmup.html): small steps first.
* [Greedy decoding](greedy.html): how the decoder writes by itself.
* [A task for encoder and decoder](experiment.html): all of it together, on a task of seconds.
* [Multi-head attention, faster](fast_mha.html): the same results from PyTorch's fused operation.

[Transformer-XL](xl/index.html) continues from there, with attention that measures distances
instead of places. [Self-attention from the ground up](self_attention/index.html) is another way
in, from the simplest attention that there is to a classifier.

All of them put the sequence first: a batch of token vectors has the shape
`[sequence, batch, d_model]`. Where a formula in the code names its axes, `i` is the query, `j` the
key, `b` the item of the batch, `h` the head and `d` the feature.
"""
