r"""
---
title: Transformer-XL layer, model and memory
summary: Segments that remember, with the layer, the stack of layers, and the update of the memory.
---
# Transformer-XL: layer, model and memory

A long text is read in segments of, say, 8 tokens. When the model reads a segment, each layer also
looks at what it saw in the segments before. With $h^{n-1}_\tau$ for the vectors that enter layer
$n$ at segment $\tau$, section 3.2 of [Transformer-XL](https://arxiv.org/abs/1901.02860) writes

\begin{align}
\tilde h^{n-1}_{\tau+1} &= \bigl[\operatorname{SG}(h^{n-1}_\tau) \circ h^{n-1}_{\tau+1}\bigr] \\
q,\; k,\; v &= h^{n-1}_{\tau+1} W_q^\top,\;
  \tilde h^{n-1}_{\tau+1} W_k^\top,\;
  \tilde h^{n-1}_{\tau+1} W_v^\top \\
h^n_{\tau+1} &= \operatorname{Layer}(q, k, v)
\end{align}

$[\cdot \circ \cdot]$ puts two sequences end to end. $\operatorname{SG}$, *stop gradient*, is
`detach`: what is remembered is used but no longer changed by training, since the graph that made
it is gone. The queries come from the new segment alone, because only it needs answers; the keys
and values come from memory and segment together.

## How far it sees

What layer $n$ remembers was itself computed with a memory, one layer below. So each layer reaches
further back by one memory length $M$. The top of $N$ layers can learn of tokens $N \cdot M$ places
before the segment (the paper's figure 2), while each layer only ever looks at $M + q$ keys, for a
segment of $q$ tokens. A plain transformer would have to read all $N \cdot M + q$ tokens at once.

## Why the attention must be relative

The tokens of the memory were numbered when their own segment was read. In the next segment the
same vectors are used again, one segment further away. Only attention that knows nothing but
distances gives them the right place without being computed anew; [its page](relative_mha.html)
shows how.
"""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from labml_nn.transformers.feed_forward import FeedForward
from labml_nn.transformers.masks import causal_mask
from labml_nn.transformers.models import stack
from labml_nn.transformers.xl.relative_mha import RelativeMultiHeadAttention


class TransformerXLLayer(nn.Module):
    """
    ## One layer

    It differs from the [layer of the encoder](../models.html) in its keys and values alone.

    * `d_model` is the number of features of a token vector.
    * `self_attn` is the [relative attention](relative_mha.html).
    * `feed_forward` is the [network for the single token](../feed_forward.html).
    * `dropout_prob` is the probability of dropping a feature of what a sub-layer adds.
    """

    def __init__(
        self,
        *,
        d_model: int,
        self_attn: RelativeMultiHeadAttention,
        feed_forward: FeedForward,
        dropout_prob: float = 0.1,
    ) -> None:
        super().__init__()
        self.d_model = d_model
        self.self_attn = self_attn
        self.feed_forward = feed_forward
        self.norm_self_attn = nn.LayerNorm(d_model)
        self.norm_ff = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout_prob)

    def forward(self, *, x: Tensor, memory: Tensor | None, mask: Tensor) -> Tensor:
        """
        `x` has shape `[q, batch, d_model]`, and so has the result. `memory` holds what entered
        this layer before, of shape `[M, batch, d_model]`, and may be `None`. `mask` has a shape
        that begins with `[q, M + q]`.
        """
        # The memory holds inputs of this layer as they came, so it is normalised together with
        # the segment, by the same norm. Shape `[M + q, batch, d_model]`.
        seen = x if memory is None else torch.cat([memory, x])
        seen = self.norm_self_attn(seen)

        # The queries are the last $q$ of all that is seen.
        query = seen[len(seen) - len(x) :]
        x = x + self.dropout(self.self_attn(query=query, key=seen, value=seen, mask=mask))

        return x + self.dropout(self.feed_forward(self.norm_ff(x)))


class TransformerXL(nn.Module):
    """
    ## The stack

    `n_layers` layers built like `layer`, each with its own weights, and a last normalisation. The
    tokens see no future.
    """

    def __init__(self, layer: TransformerXLLayer, n_layers: int) -> None:
        super().__init__()
        self.layers = stack(layer, n_layers)
        self.norm = nn.LayerNorm(layer.d_model)

    def forward(
        self, x: Tensor, memory: Sequence[Tensor] | None = None
    ) -> tuple[Tensor, list[Tensor]]:
        """
        * `x` has shape `[q, batch, d_model]`: the vectors of one segment.
        * `memory` holds one tensor for each layer, of shape `[M, batch, d_model]`. Their lengths
          may differ, and 0 is a length. Without it there is no memory.

        The first result has the shape of `x`. The second is a list of what entered each layer,
        again `[q, batch, d_model]`; [`update_memory`][] makes the next memory of it.
        """
        if memory is not None:
            self._check_memory(x, memory)

        entered = []
        for n, layer in enumerate(self.layers):
            entered.append(x)
            kept = None if memory is None else memory[n]
            # Memories of different lengths need masks of different widths.
            keys = len(x) if kept is None else len(kept) + len(x)
            x = layer(x=x, memory=kept, mask=causal_mask(len(x), keys, x.device))
        return self.norm(x), entered

    def _check_memory(self, x: Tensor, memory: Sequence[Tensor]) -> None:
        """A memory of another model or another batch is a `ValueError`."""
        if len(memory) != len(self.layers):
            raise ValueError(
                f"The memory is of {len(memory)} layers, but the model has {len(self.layers)}."
            )
        for n, kept in enumerate(memory):
            if kept.dim() != 3 or kept.shape[1:] != x.shape[1:]:
                raise ValueError(
                    f"The memory of layer {n} must have shape [length, {x.shape[1]}, "
                    f"{x.shape[2]}], but it has shape {list(kept.shape)}."
                )


def update_memory(
    memory: Sequence[Tensor] | None, entered: Sequence[Tensor], length: int | Sequence[int]
) -> list[Tensor]:
    """
    ## What to remember

    Put what entered each layer behind what the layer already remembered, and keep the last
    `length` vectors. A memory can thus be longer than a segment, and reach over several of them.
    `length` is one number for all layers or one for each: higher layers see further anyway, and
    may do with less.

    Nothing here is learned, and the length is no property of the model. A model that was trained
    with one length may be used with another. The paper trains with a memory as long as a segment
    and evaluates with a multiple of that (end of section 3.2).
    """
    lengths = [length] * len(entered) if isinstance(length, int) else list(length)
    if len(lengths) != len(entered) or min(lengths) < 0:
        raise ValueError(
            f"Each of the {len(entered)} layers needs one memory length of 0 or more, but the "
            f"lengths are {lengths}."
        )

    updated = []
    for n, x in enumerate(entered):
        # Without `detach` the memory would hold on to the graph of the previous segment, which
        # holds on to the one before, back to the first.
        seen = x.detach() if memory is None else torch.cat([memory[n], x.detach()])
        # The last 0 vectors are not `seen[-0:]`: that would be all of them.
        updated.append(seen[max(len(seen) - lengths[n], 0) :])
    return updated


def _demonstrate() -> None:
    """
    ## See it work

    Two layers read sixteen tokens in segments of four. The lower layer remembers four vectors,
    the upper one eight; the shapes of the two memories are printed after each segment. Then the
    same text is read at once. A memory that holds the whole past gives the same result, and with
    the short memories it does not: they no longer hold what stood further back.

    The last lines measure how far the model sees. With memories of four, token 15 stands in the
    fourth segment, tokens 12 to 15. One layer shows it tokens from 8 on, the second layer reaches
    four further, to token 4.
    """
    torch.manual_seed(1)
    d_model = 8

    def build(n_layers: int) -> TransformerXL:
        return TransformerXL(
            TransformerXLLayer(
                d_model=d_model,
                self_attn=RelativeMultiHeadAttention(heads=2, d_model=d_model, max_len=16),
                feed_forward=FeedForward(d_model, d_ff=16),
            ),
            n_layers,
        ).eval()

    def read(model: TransformerXL, x: Tensor, length: int | list[int]) -> Tensor:
        memory, outputs = None, []
        for segment in torch.split(x, 4):
            output, entered = model(segment, memory)
            memory = update_memory(memory, entered, length)
            outputs.append(output)
            if length == [4, 8]:
                print("after segment", list(segment.shape), [list(kept.shape) for kept in memory])
        return torch.cat(outputs)

    x = torch.randn(16, 1, d_model)
    with torch.no_grad():
        model = build(2)
        whole, _ = model(x)
        for length in ([4, 8], 16):
            agree = torch.allclose(read(model, x, length), whole, atol=1e-5)
            print(f"memory {length}: the same as the whole text at once: {agree}")

        for n_layers in (1, 2):
            model = build(n_layers)
            last = read(model, x, 4)[-1]
            seen = []
            for t in range(16):
                changed = x.clone()
                changed[t] = torch.randn(d_model)
                seen.append(not torch.equal(read(model, changed, 4)[-1], last))
            print(f"layers: {n_layers}  token 15 depends on all tokens from {seen.index(True)} on")


if __name__ == "__main__":
    _demonstrate()
