"""
---
title: Self-attention from the ground up
summary: From an average without any parameter to a classifier of sequences, one idea a page.
---
# Self-attention from the ground up

[Multi-head attention](../mha.html) is the finished thing. These pages build up to it from less, and
also show the variants that it leaves aside.

1. [Basic self-attention](basic.html): no parameters at all, and already most of the idea.
2. [Wide heads](wide.html): queries, keys and values, and heads that each work on the whole
   vector.
3. [Wide heads with `einsum`](einsum.html): the same sums, written by naming the axes.
4. [Narrow heads](narrow.html): heads that each work on a piece of the vector.
5. [Masks](../masks.html): the triangle that hides the future, and padding.
6. [The block](block.html): attention, feed-forward network, and normalisation after each.
7. [A classifier of sequences](classifier.html): blocks between an embedding and an average.
8. [A task that needs positions](experiment.html): what comes first?

Position vectors are explained elsewhere: [sinusoidal](../positional_encoding.html) ones that are
computed, and [learned](../models.html) ones that are looked up in a table.
"""
