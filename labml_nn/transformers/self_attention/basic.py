r"""
---
title: Basic self-attention
summary: Self-attention without parameters, where each vector becomes an average of those like it.
---
# Basic self-attention

Self-attention takes a sequence of vectors and gives back a sequence of vectors of the same size.
Each result is a weighted average of all the inputs. The weights are not learned and not stored
anywhere: they are computed from the vectors themselves, anew for every sequence. This is what sets
attention apart from a linear map, which mixes its inputs by fixed weights.

In the simplest form there is nothing to learn at all. How much token $i$ takes from token $j$
depends on how alike the two vectors are, and the dot product measures that:

\begin{align}
s_{ij} &= x_i \cdot x_j \\
w_{ij} &= \operatorname{softmax}_j(s_{ij}) = \frac{e^{s_{ij}}}{\sum_{j'} e^{s_{ij'}}} \\
y_i &= \sum_j w_{ij}\, x_j
\end{align}

The softmax makes all weights positive, and those of one token sum to 1.

## What it can do, and what it cannot

If the vectors mean something, this is already useful. In the sentence below, *it* and *cat* both
have the feature of a creature, so their dot product is large, and *it* takes more from *cat* than
from any other word: the pronoun takes on what it stands for.

Three things are missing, and the pages after this one supply them:

* **Roles.** The same vector serves as that which asks, that which is asked and that which is
  handed over. The scores are symmetric, $s_{ij} = s_{ji}$, and the greatest score of a vector is
  usually the one with itself. A token cannot look for something that it is not. Queries, keys and
  values separate the roles ([wide heads](wide.html)).
* **Scale.** The more features the vectors have, the further their dot products lie apart, and
  softmax then gives nearly everything to one token. [Multi-head attention](../mha.html) explains
  the division that repairs it.
* **Order.** Shuffle the tokens, and the results are the same, shuffled. The sum does not know
  which came first. Positions must be [added to the vectors](../positional_encoding.html).
"""

import torch
from torch import Tensor

from labml_nn.figures import Figure, HeatMap, matrix
from labml_nn.transformers.masks import masked_softmax


def basic_weights(x: Tensor, mask: Tensor | None = None) -> Tensor:
    """
    ## Weights

    `x` has shape `[sequence, batch, d_model]`. The result has shape `[batch, sequence, sequence]`:
    for each item of the batch a matrix with one row for each token that takes, and one column for
    each token that gives. A [mask](../masks.html) hides tokens.
    """
    # All dot products within each item: $s_{ij} = \sum_d x_{id}\, x_{jd}$.
    scores = torch.einsum("ibd,jbd->bij", x, x)
    # The softmax of the masks expects an axis of heads. Here is one head.
    return masked_softmax(scores.unsqueeze(1), mask).squeeze(1)


def basic_self_attention(x: Tensor, mask: Tensor | None = None) -> Tensor:
    r"""
    ## Attention

    $y_i = \sum_j w_{ij}\, x_j$. `x` has shape `[sequence, batch, d_model]`, and so has the result.
    """
    return torch.einsum("bij,jbd->ibd", basic_weights(x, mask), x)


# A sentence with vectors made by hand. The features are: creature, doing, being, little word.
SENTENCE = {
    "the": (0.0, 0.0, 0.0, 1.5),
    "cat": (2.0, 0.0, 0.0, 0.0),
    "slept": (0.5, 2.0, 0.0, 0.0),
    "because": (0.0, 0.0, 0.0, 1.5),
    "it": (1.5, 0.0, 0.0, 0.5),
    "was": (0.0, 0.5, 1.0, 0.5),
    "tired": (0.5, 0.0, 2.0, 0.0),
}


def figures() -> dict[str, Figure]:
    """
    ## Figures

    The weights of the sentence.
    """
    words = tuple(SENTENCE)
    x = torch.tensor(list(SENTENCE.values())).unsqueeze(1)
    return {
        "sentence": HeatMap(
            "Each word takes from words that are like it; “it” takes most from “cat”.",
            x="gives",
            y="takes",
            values=matrix(basic_weights(x)[0], digits=2),
            columns=words,
            rows=words,
        )
    }


def _demonstrate() -> None:
    """
    ## See it work

    For each word of the sentence, the word that it takes most from, and how much. The content words
    take most from themselves, but *it* takes most from *cat* and *was* from *tired*. *the* and
    *because* were given the same vector, so each takes equally from both, and the first of the two
    is printed. Then the sentence is read backwards, and the results are the same ones in the
    opposite order.
    """
    words = list(SENTENCE)
    x = torch.tensor(list(SENTENCE.values())).unsqueeze(1)
    for word, row in zip(words, basic_weights(x)[0], strict=True):
        print(f"{word:8} takes {row.max().item():.2f} from {words[int(row.argmax())]}")

    forwards, backwards = basic_self_attention(x), basic_self_attention(x.flip(0))
    print("backwards is the same, reversed:", torch.allclose(backwards.flip(0), forwards))


if __name__ == "__main__":
    _demonstrate()
