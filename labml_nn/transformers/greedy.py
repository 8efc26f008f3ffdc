"""
---
title: Greedy decoding
summary: Write a sequence token by token, always taking the most probable next one.
---
# Greedy decoding

In training, the [decoder](models.html) is given the right target and predicts all its tokens at
once, each from those before it. When it writes by itself, there is no target. It begins with a
*start* token, predicts the next one, appends it to what it has, and predicts again, until it
predicts an *end* token.

*Greedy* means that each time the most probable token is taken and never taken back. The result is
not always the most probable sequence: a good beginning may lead to nothing good. The paper keeps
the four best beginnings at each step (*beam search*,
[Attention Is All You Need](https://arxiv.org/abs/1706.03762), section 6.1). Where the model is
nearly certain of every token, as in [our task](experiment.html), both write the same.
"""

import torch
from torch import Tensor

from labml_nn.transformers.masks import causal_mask
from labml_nn.transformers.models import EncoderDecoder


@torch.no_grad()
def greedy_decode(
    model: EncoderDecoder,
    src: Tensor,
    *,
    start: int,
    end: int,
    max_len: int,
    src_mask: Tensor | None = None,
) -> Tensor:
    """
    ## Write

    * `src` has shape `[source, batch]`. `src_mask`, of shape `[1, source, batch]`, hides its
      padding.
    * `start` and `end` are the tokens that begin and end a target.
    * `max_len` is the greatest number of tokens that are written. A model that never predicts
      `end` would write for ever.

    The result has shape `[target, batch]`, without `start`. In each item, everything after the
    first `end` is `end` too. The model must be in evaluation mode; to write with dropout is a
    `ValueError`.
    """
    if model.training:
        raise ValueError("The model is in training mode; call its eval() before it writes.")

    # The source is read once.
    memory = model.encode(src, src_mask)

    # What was written so far, beginning with `start`. Shape `[1 + steps, batch]`.
    written = src.new_full((1, src.shape[1]), start)
    ended = torch.zeros_like(written[0], dtype=torch.bool)
    for _ in range(max_len):
        # The decoder reads all that was written, although only its last vector is new. A faster
        # one would keep the keys and values of the earlier tokens.
        x = model.decode(memory, written, src_mask, causal_mask(len(written), device=src.device))
        token = model.generator(x[-1]).argmax(dim=-1)

        # The items of a batch end at different times. Those that have ended wait for the others.
        token = token.masked_fill(ended, end)
        written = torch.cat([written, token.unsqueeze(0)])
        ended = ended | (token == end)
        if ended.all():
            break
    return written[1:]


def _demonstrate() -> None:
    """
    ## See it work

    An untrained model writes nonsense, but the same nonsense for a sequence alone and in a batch
    with another one. [The next page](experiment.html) trains it.
    """
    from labml_nn.transformers.experiment import END, START, Reverse

    torch.manual_seed(2)
    model = Reverse().eval().model
    src = torch.tensor([[5, 8], [9, 3], [4, 7]])
    for name, tokens in (("both ", src), ("first", src[:, :1])):
        out = greedy_decode(model, tokens, start=START, end=END, max_len=6)
        print(name, out.t().tolist())


if __name__ == "__main__":
    _demonstrate()
