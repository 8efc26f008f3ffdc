r"""
---
title: Learning rate with warm-up
summary: A learning rate that rises in a straight line and then falls like one over a square root.
---
# Learning rate with warm-up

[Attention Is All You Need](https://arxiv.org/abs/1706.03762), section 5.3, equation 3, lets the
learning rate depend on the step $n$, counted from 1:

$$\text{rate}(n) = d_\text{model}^{-1/2} \cdot
\min\left(n^{-1/2},\; n \cdot w^{-3/2}\right)$$

$w$ is the number of warm-up steps; the paper takes 4000. Of the two terms the second is smaller at
first, and it is a straight line from 0. The first takes over where the two meet:

$$n^{-1/2} = n\, w^{-3/2} \iff n = w$$

There the rate is greatest, $(d_\text{model}\, w)^{-1/2}$, which is about 0.0007 for
$d_\text{model} = 512$ and 4000 steps. Then it falls like $1 / \sqrt n$.

## Why it begins small

Adam divides a running mean of the gradients by the root of a running mean of their squares. In step
1 both know a single gradient and the quotient is 1 or -1, so every weight moves by the whole
learning rate, however uncertain the direction. Small steps at the beginning do little harm until
the means have seen enough. Layers with the
[normalisation after the addition](self_attention/block.html) need this most: near the output
their first gradients are large ([Xiong et al.](https://arxiv.org/abs/2002.04745), section 3).
"""

from torch.optim import Optimizer
from torch.optim.lr_scheduler import LambdaLR

from labml_nn.figures import Figure, Lines


def rate(step: int, d_model: int, warmup: int) -> float:
    """
    ## The formula

    The learning rate of step `step`, which is at least 1.
    """
    if step < 1 or warmup < 1:
        raise ValueError(f"step ({step}) and warmup ({warmup}) must be at least 1.")
    return d_model**-0.5 * min(step**-0.5, step * warmup**-1.5)


def warm_up(optimizer: Optimizer, d_model: int, warmup: int = 4000) -> LambdaLR:
    """
    ## The schedule

    Call its `step` after each step of the optimizer. PyTorch multiplies what the function returns
    by the learning rate that the optimizer was made with, so make it with `lr=1.0` for the rates
    of the paper, or with another factor.
    """
    # PyTorch counts the steps that were made, and the formula the one that comes.
    return LambdaLR(optimizer, lambda done: rate(done + 1, d_model, warmup))


def figures() -> dict[str, Figure]:
    """
    ## Figures

    The rate for two sizes of a model and two lengths of warm-up.
    """
    curves = {}
    for d_model, warmup in ((512, 4000), (512, 8000), (256, 4000)):
        steps = range(1, 20_002, 200)
        points = [(float(n), round(rate(n, d_model, warmup), 6)) for n in steps]
        curves[f"d_model {d_model}, warm-up {warmup}"] = points
    return {
        "rate": Lines(
            "The rate rises to its peak at the end of the warm-up and then falls.",
            x="step",
            y="learning rate",
            series=curves,
        )
    }


def _demonstrate() -> None:
    """
    ## See it work

    The rates of the paper's base model, before, at and after the peak.
    """
    for step in (1, 1000, 4000, 16_000, 100_000):
        print(f"step {step:7,}: {rate(step, d_model=512, warmup=4000):.7f}")


if __name__ == "__main__":
    _demonstrate()
