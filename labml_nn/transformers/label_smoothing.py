r"""
---
title: Label smoothing
summary: A loss that asks for much confidence and not for all of it.
---
# Label smoothing

The usual loss of a model that predicts tokens is the cross-entropy: minus the logarithm of the
probability $p_y$ that it gave to the right token $y$. It reaches 0 only when $p_y$ is exactly 1,
and for that the logit of the right token must be infinitely far above all others. So the model
never comes to rest. It keeps pushing its logits apart, and becomes sure of things that it should
doubt.

Label smoothing, introduced by [Szegedy et al.](https://arxiv.org/abs/1512.00567), section 7, asks
for a little less. Of the probability, a share of $1 - \varepsilon$ shall go to the right token, and
$\varepsilon$ be dealt out evenly to all the $V$ tokens of the vocabulary, the right one among them.
So the probability that is asked for token $v$ is its *target*

$$t_v = (1 - \varepsilon)\, [v = y] + \frac{\varepsilon}{V}$$

where the bracket is 1 if $v$ is the right token and 0 otherwise. The loss is the cross-entropy with
these targets, and falls into two parts:

$$-\sum_v t_v \ln p_v
= (1 - \varepsilon) \bigl(-\ln p_y\bigr)
+ \varepsilon\, \frac1V \sum_v \bigl(-\ln p_v\bigr)$$

The first is the usual loss. The second grows when any token gets a probability close to 0. The
best answer is $p = t$: the logit of the right token then stands $\ln \frac{t_y}{\varepsilon / V}$
above the others, a finite distance. With $\varepsilon = 0.1$ and ten tokens it is
$\ln 91 \approx 4.5$.

[Attention Is All You Need](https://arxiv.org/abs/1706.03762), section 5.4, uses
$\varepsilon = 0.1$. The model becomes less certain, and its translations better.
"""

import torch
from torch import Tensor, nn


class LabelSmoothingLoss(nn.Module):
    r"""
    ## The loss

    * `smoothing` is $\varepsilon$. With 0 this is the usual cross-entropy.
    * `padding` is the number of the token that fills up. Where it is the right answer, nothing was
      asked, and the place does not count. With `None` all places count.

    The results are those of `torch.nn.functional.cross_entropy` with `label_smoothing` and
    `ignore_index`.
    """

    def __init__(self, smoothing: float = 0.1, padding: int | None = None) -> None:
        super().__init__()
        if not 0 <= smoothing <= 1:
            raise ValueError(f"smoothing must be between 0 and 1, but it is {smoothing}.")
        self.smoothing = smoothing
        self.padding = padding

    def forward(self, logits: Tensor, target: Tensor) -> Tensor:
        r"""
        `logits` has shape `[..., n_vocab]` and `target`, the right tokens, has the same shape
        without the last axis. The result is the mean over all the places that count, of shape
        `[]`. If no place counts, it is 0.
        """
        if logits.shape[:-1] != target.shape:
            raise ValueError(
                f"Logits of shape {list(logits.shape)} need targets of shape "
                f"{list(logits.shape[:-1])}, but they have shape {list(target.shape)}."
            )
        counts = torch.ones_like(target, dtype=torch.bool)
        if self.padding is not None:
            counts = target != self.padding

        # $\ln p_v$ for all tokens. `log_softmax` computes it without going through $p_v$, which
        # can be too small for a floating-point number.
        log_p = logits.log_softmax(dim=-1)

        # The two parts. Where nothing counts, the target may be any number, even a negative one;
        # token 0 is looked up instead.
        index = target.masked_fill(~counts, 0).unsqueeze(-1)
        right = -log_p.gather(-1, index).squeeze(-1)
        even = -log_p.mean(dim=-1)
        loss = (1 - self.smoothing) * right + self.smoothing * even

        return loss.masked_fill(~counts, 0.0).sum() / counts.sum().clamp(min=1)


def _demonstrate() -> None:
    r"""
    ## See it work

    A single row of ten logits is trained to predict token 3, with and without smoothing. The gap
    between the right logit and the others is printed on the way. With smoothing it stops at
    $\ln 91 \approx 4.5$; without, it grows from number to number.
    """
    for smoothing in (0.0, 0.1):
        loss = LabelSmoothingLoss(smoothing)
        logits = torch.zeros(1, 10, requires_grad=True)
        optimizer = torch.optim.SGD([logits], lr=5.0)
        gaps = []
        for step in range(1, 251):
            optimizer.zero_grad()
            loss(logits, torch.tensor([3])).backward()
            optimizer.step()
            if step in (10, 50, 250):
                gaps.append(round((logits[0, 3] - logits[0, 0]).item(), 1))
        print(f"smoothing {smoothing}: the gap after 10, 50 and 250 steps: {gaps}")


if __name__ == "__main__":
    _demonstrate()
