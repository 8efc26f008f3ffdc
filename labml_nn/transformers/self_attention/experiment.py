r"""
---
title: A task that needs positions
summary: Which of two marks comes first? Solved with positions, and a coin toss without.
---
# A task that needs positions

Each sequence is a row of random letters. Somewhere among them stand one *A* and one *B*, and the
question is which of the two comes first. The lengths differ from 4 to 16, and the short sequences
are filled up with padding.

Every sequence contains both marks, so it does not help to know *what* occurs. Only the order
decides. Attention does not see the order by itself, and the average at the end of the
[classifier](classifier.html) does not either: without positions, a sequence and its reverse are
the same to the model, although their answers are opposite. It can only toss a coin, at a loss of

$$-\ln \tfrac12 = \ln 2 \approx 0.693$$

With positions added to the tokens it learns the task, whether the positions are
[learned](../models.html) or [sinusoidal](../positional_encoding.html).
"""

import math
from functools import cache
from pathlib import Path

import torch
from torch import Tensor, nn

from labml_nn.figures import Figure, Lines, curve
from labml_nn.training import ALONE, Place, arguments, processes, train
from labml_nn.transformers.feed_forward import FeedForward
from labml_nn.transformers.models import (
    EmbeddingsWithLearnedPositionalEncoding,
    EmbeddingsWithPositionalEncoding,
)
from labml_nn.transformers.self_attention.block import PostNormBlock
from labml_nn.transformers.self_attention.classifier import SequenceClassifier
from labml_nn.transformers.self_attention.einsum import EinsumSelfAttention

# The tokens: padding, the two marks, and ten letters from 3 to 12.
PADDING, A, B, VOCABULARY = 0, 1, 2, 13
SHORTEST, LONGEST = 4, 16
D_MODEL = 32


class WhichFirst(nn.Module):
    """
    ## The model and its loss

    Two blocks with two wide heads. `embed` makes vectors of the tokens.
    """

    def __init__(self, embed: nn.Module) -> None:
        super().__init__()
        block = PostNormBlock(
            d_model=D_MODEL,
            attention=EinsumSelfAttention(D_MODEL, heads=2),
            feed_forward=FeedForward(D_MODEL, 64, dropout_prob=0.0),
            dropout_prob=0.0,
        )
        self.classifier = SequenceClassifier(embed, block, n_blocks=2, n_classes=2, padding=PADDING)

    def forward(self, tokens: Tensor, answers: Tensor) -> Tensor:
        """
        `tokens` has shape `[16, batch]`, `answers` has shape `[batch]`: 0 if *A* comes first, 1 if
        *B* does. The classifier returns logarithms of probabilities, and the loss is minus the one
        of the right answer.
        """
        return nn.functional.nll_loss(self.classifier(tokens), answers)


def make_batch(generator: torch.Generator, size: int = 64) -> list[Tensor]:
    """
    ## The sequences

    `size` of them, of shape `[16, size]`, and their answers, of shape `[size]`.
    """
    tokens = torch.randint(B + 1, VOCABULARY, (LONGEST, size), generator=generator)
    lengths = torch.randint(SHORTEST, LONGEST + 1, (size,), generator=generator)

    # Two different places below the length: the first two of a random order of them. Places at and
    # beyond the length get 2, which is more than any random number, and so come last.
    place = torch.arange(LONGEST).unsqueeze(1)
    order = torch.rand(LONGEST, size, generator=generator).masked_fill(place >= lengths, 2.0)
    place_of_a, place_of_b = order.argsort(dim=0)[:2]

    item = torch.arange(size)
    tokens[place_of_a, item] = A
    tokens[place_of_b, item] = B
    answers = (place_of_b < place_of_a).long()
    return [tokens.masked_fill(place >= lengths, PADDING), answers]


def embeddings() -> dict[str, nn.Module]:
    """
    ## Three embeddings

    With learned positions, with sinusoidal ones, and with none.
    """
    return {
        "learned": EmbeddingsWithLearnedPositionalEncoding(D_MODEL, VOCABULARY, LONGEST, 0.0),
        "sinusoidal": EmbeddingsWithPositionalEncoding(D_MODEL, VOCABULARY, LONGEST, 0.0),
        "no positions": nn.Embedding(VOCABULARY, D_MODEL),
    }


def run(
    name: str, task: WhichFirst, steps: int, place: Place = ALONE, folder: Path | None = None
) -> list[float]:
    """
    ## One run

    Adam in the [common training loop](../../training.html). The result is the loss of each step.
    """
    task.to(place.device)
    return train(
        task,
        make_batch,
        steps=steps,
        optimizer=torch.optim.Adam(task.parameters(), lr=2e-3),
        place=place,
        checkpoint=None if folder is None else folder / f"{name}.pt",
        name=name,
    )


def accuracy(task: WhichFirst) -> float:
    """
    ## Evaluation

    The share of right answers for 1000 sequences that were not in the training.
    """
    tokens, answers = make_batch(torch.Generator().manual_seed(-1), size=1000)
    device = task.classifier.classes.weight.device
    with torch.no_grad():
        best = task.eval().classifier(tokens.to(device)).argmax(dim=-1)
    return (best.cpu() == answers).double().mean().item()


@cache
def trained(
    name: str, steps: int, place: Place, folder: Path | None
) -> tuple[WhichFirst, list[float]]:
    """
    ## A trained model

    With the embedding of that name and a fixed seed: the model, and the loss of each step. What
    was trained once is kept, so the demonstration and the figures show the same models.
    """
    torch.manual_seed(1)
    task = WhichFirst(embeddings()[name])
    return task, run(name, task, steps, place, folder)


def figures(steps: int = 100) -> dict[str, Figure]:
    """
    ## Figures

    How the loss falls, or does not.
    """
    losses = {}
    for name in embeddings():
        _, loss = trained(name, steps, ALONE, None)
        losses[name] = curve(loss, every=5, digits=2)
    return {
        "loss": Lines(
            "With positions the loss falls towards 0; without them it stays at ln 2.",
            x="step",
            y="loss (nats)",
            series=losses,
        )
    }


def main() -> None:
    """
    ## See it work

    The loss at the beginning and at the end, and the share of right answers, for each of the three
    embeddings.
    """
    options = arguments("Which of two marks comes first?", steps=100)
    with processes() as place:
        if place.rank == 0:
            print(f"chance: {math.log(2):.1f}")
        for name in embeddings():
            task, losses = trained(name, options.steps, place, options.checkpoints)
            if place.rank == 0:
                right = accuracy(task)
                print(f"{name:12} loss {losses[0]:.1f} -> {losses[-1]:.1f}, right: {right:.0%}")


if __name__ == "__main__":
    main()
