"""
---
title: Transformer-XL
summary: A transformer that carries a memory from segment to segment, and what makes it possible.
---
# Transformer-XL

A transformer sees only the segment of text that it is given. To read a long text, it cuts it into
segments, and every cut is a wall: the first tokens of a segment know nothing of the last tokens of
the one before. [Transformer-XL](https://arxiv.org/abs/1901.02860) takes the wall down. Each layer
keeps the vectors that it received for the last segment and lets the tokens of the present one
attend to them, without sending gradients back into them. This kept part is called the *memory*.

A token then meets keys that were computed in an earlier segment, so it must not matter what number
a token had inside its segment. What matters is how far apart two tokens are:

1. [Relative multi-head attention](relative_mha.html): scores made of contents and distances.
2. [Layer, model and memory](model.html): what is kept from segment to segment, and how it is used.
3. [A task that needs memory](experiment.html): recall what was seen twelve steps earlier, and see
   the model learn to look there.
4. [Relative attention, faster](fast_relative_mha.html): the causal case without work that is thrown
   away.
"""
