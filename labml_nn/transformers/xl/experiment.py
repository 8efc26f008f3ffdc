r"""
---
title: A task that needs memory
summary: Recall the symbol seen twelve steps earlier, in segments of eight, with and without memory.
---
# A task that needs memory

The text is a stream of random symbols of eight kinds. At each step the model must name the symbol
that it saw *twelve* steps earlier. That would be easy, if it did not read in segments of *eight*:
the symbol that it needs is never in the segment at hand. What stands in the segment does not help
either, since the symbols are independent of each other.

So the loss tells without any doubt whether the memory works. A model without memory can do no
better than to give each of the eight symbols the probability $\frac18$, a loss of

$$-\ln \tfrac18 = \ln 8 \approx 2.079$$

A model that remembers 16 vectors can look at the symbol and bring the loss down to almost 0.
All it must learn is to look twelve steps back, a single row of the table of
[relative attention](relative_mha.html).

The last test is to read with a *longer* memory than in training. Nothing should change: twelve
steps back is the same distance, however much more is remembered. It goes wrong if the rows of the
table are counted from the wrong end, and [`WrongEnd`][] makes this mistake on purpose.
"""

import math
from functools import cache
from pathlib import Path
from typing import cast

import torch
from torch import Tensor, nn

from labml_nn.figures import Bars, Figure, HeatMap, Lines, curve, matrix
from labml_nn.training import ALONE, Place, arguments, processes, train
from labml_nn.transformers.feed_forward import FeedForward
from labml_nn.transformers.masks import causal_mask
from labml_nn.transformers.models import Generator
from labml_nn.transformers.xl.model import TransformerXL, TransformerXLLayer, update_memory
from labml_nn.transformers.xl.relative_mha import RelativeMultiHeadAttention

SYMBOLS, DELAY, SEGMENT = 8, 12, 8

# A text is six segments long. The first three only fill the memory and are not judged, so that the
# model is judged with its full memory, of up to 24.
TEXT, JUDGED_FROM = 48, 24


class Recall(nn.Module):
    """
    ## The model and its loss

    One layer of Transformer-XL with two heads, between an embedding of the symbols and a
    [generator](../models.html) of logits. There is no other position than in the attention.

    * `memory_length` is how many vectors the layer remembers. It may be changed at any time.
    * `attention` is the class of the attention.
    """

    def __init__(
        self,
        memory_length: int,
        attention: type[RelativeMultiHeadAttention] = RelativeMultiHeadAttention,
        d_model: int = 32,
    ) -> None:
        super().__init__()
        self.memory_length = memory_length
        self.embeddings = nn.Embedding(SYMBOLS, d_model)
        layer = TransformerXLLayer(
            d_model=d_model,
            self_attn=attention(heads=2, d_model=d_model, dropout_prob=0.0, max_len=TEXT),
            feed_forward=FeedForward(d_model, d_ff=64, dropout_prob=0.0),
            dropout_prob=0.0,
        )
        self.transformer = TransformerXL(layer, n_layers=1)
        self.generator = Generator(SYMBOLS, d_model)

    def forward(self, symbols: Tensor) -> Tensor:
        """
        `symbols` has shape `[48, batch]`. The result is the mean loss over the judged half of the
        text, of shape `[]`.
        """
        memory: list[Tensor] | None = None
        losses = []
        for start in range(0, len(symbols), SEGMENT):
            segment = self.embeddings(symbols[start : start + SEGMENT])
            x, entered = self.transformer(segment, memory)
            memory = update_memory(memory, entered, self.memory_length)

            # The right answers are the same stream, twelve steps earlier.
            if start >= JUDGED_FROM:
                answers = symbols[start - DELAY : start - DELAY + SEGMENT]
                logits = self.generator(x)
                losses.append(nn.functional.cross_entropy(logits.flatten(0, 1), answers.flatten()))
        return torch.stack(losses).mean()


class WrongEnd(RelativeMultiHeadAttention):
    r"""
    ## The mistake

    The true position of query $i$ is $i + M$, since $M$ remembered tokens come before it. This
    class forgets the $M$ and takes row $P + j - i$ of the table where row $P + j - (i + M)$ is
    meant. A token that looks at itself then reads row $P + M$: the meaning of a row depends on the
    length of the memory. As long as this length stays the same, nobody notices, because a model
    can learn its task with any naming of the distances.
    """

    def get_scores(self, query: Tensor, key: Tensor) -> Tensor:
        """
        The rows are looked up one by one here, which is slow and easy to read. The shapes are
        those of [`RelativeMultiHeadAttention.get_scores`][].
        """
        i = torch.arange(len(query), device=query.device).unsqueeze(1)
        j = torch.arange(len(key), device=key.device)
        row = self.max_len + j - i
        content = torch.einsum("ibhd,jbhd->bhij", query + self.query_pos_bias, key)
        position = torch.einsum("ibhd,ijhd->bhij", query, self.key_pos_embeddings[row])
        bias = self.key_pos_bias[row].permute(2, 0, 1)
        return (content + position + bias) * self.scale


def make_batch(generator: torch.Generator) -> list[Tensor]:
    """
    ## The texts

    32 random texts, of shape `[48, 32]`.
    """
    return [torch.randint(SYMBOLS, (TEXT, 32), generator=generator)]


def run(
    name: str, task: Recall, steps: int, place: Place = ALONE, folder: Path | None = None
) -> list[float]:
    """
    ## One run

    Adam with a constant learning rate, in the [common training loop](../../training.html). The
    result is the loss of each step. Checkpoints go to `folder`, if there is one.
    """
    task.to(place.device)
    return train(
        task,
        make_batch,
        steps=steps,
        optimizer=torch.optim.Adam(task.parameters(), lr=5e-3),
        place=place,
        checkpoint=None if folder is None else folder / f"{name}.pt",
        name=name,
    )


def evaluate(task: Recall, memory_length: int) -> float:
    """
    ## Evaluation

    The loss on texts that were not in the training, read with the given length of memory.
    """
    trained_with, task.memory_length = task.memory_length, memory_length
    with torch.no_grad():
        (symbols,) = make_batch(torch.Generator().manual_seed(-1))
        loss = task.eval()(symbols.to(task.embeddings.weight.device)).item()
    task.memory_length = trained_with
    return loss


def where_it_looks(task: Recall) -> Tensor:
    """
    ## Where it looks

    The attention weights of a whole segment, with as many remembered vectors before it as in the
    training, averaged over the heads and over 32 texts. The shape is `[8, M + 8]`.
    """
    layer = cast(TransformerXLLayer, task.transformer.layers[0])
    memory_length = task.memory_length
    with torch.no_grad():
        (symbols,) = make_batch(torch.Generator().manual_seed(-1))
        x = task.embeddings(symbols[: memory_length + SEGMENT].to(task.embeddings.weight.device))
        # With a single layer the memory is nothing but the earlier embeddings.
        seen = layer.norm_self_attn(x)
        weights = layer.self_attn.attention_weights(
            query=seen[memory_length:], key=seen, mask=causal_mask(SEGMENT, len(seen), x.device)
        )
    return weights.mean(dim=(0, 1)).cpu()


# The three runs: name, length of the memory, class of the attention.
RUNS: list[tuple[str, int, type[RelativeMultiHeadAttention]]] = [
    ("no memory", 0, RelativeMultiHeadAttention),
    ("memory", 16, RelativeMultiHeadAttention),
    ("wrong end", 16, WrongEnd),
]


@cache
def trained(
    name: str,
    memory_length: int,
    attention: type[RelativeMultiHeadAttention],
    steps: int,
    place: Place,
    folder: Path | None,
) -> tuple[Recall, list[float]]:
    """
    ## A trained model

    One of the runs, with a fixed seed: the model, and the loss of each step. What was trained once
    is kept, so the demonstration and the figures show the same models.
    """
    torch.manual_seed(1)
    task = Recall(memory_length, attention)
    return task, run(name, task, steps, place, folder)


def figures(steps: int = 100) -> dict[str, Figure]:
    """
    ## Figures

    How the loss falls in the three runs, what a longer memory changes, and where the attention
    looks.
    """
    losses, judged = {}, {}
    for name, memory_length, attention in RUNS:
        task, loss = trained(name, memory_length, attention, steps, ALONE, None)
        losses[name] = curve(loss, every=5, digits=2)
        if memory_length > 0:
            judged[name] = {f"memory {m}": round(evaluate(task, m), 2) for m in (16, 24)}
        if name == "memory":
            weights = where_it_looks(task)
    return {
        "loss": Lines(
            "Without memory the loss stays at ln 8; with memory it falls towards 0.",
            x="step",
            y="loss (nats)",
            series=losses,
        ),
        "longer memory": Bars(
            "A longer memory changes nothing, unless distances are counted from the wrong end.",
            y="loss (nats)",
            groups=judged,
        ),
        "delay diagonal": HeatMap(
            "Nearly all the weight of each query is on the key twelve steps earlier.",
            x="key (16 in the memory, then 8 in the segment)",
            y="query",
            values=matrix(weights, digits=2),
        ),
    }


def main() -> None:
    """
    ## See it work

    Without memory the loss stays at chance. With memory it falls below 0.05 within a hundred steps,
    and stays there when the memory grows from 16 to 24. Counted from the wrong end it falls as
    well; but read with the longer memory, the same model has a loss several times that of chance.
    It looks at the wrong symbol, and gives its answer with great confidence.

    The last line shows the weights of the first query of a segment. The key at place 4 has nearly
    all the weight: the query stands at place 16, behind sixteen remembered vectors.
    """
    options = arguments("Recall the symbol seen twelve steps earlier.", steps=100)
    with processes() as place:
        if place.rank == 0:
            print(f"chance: {math.log(SYMBOLS):.1f}")
        for name, memory_length, attention in RUNS:
            task, losses = trained(
                name, memory_length, attention, options.steps, place, options.checkpoints
            )
            if place.rank == 0:
                line = f"{name:10} loss {losses[0]:.1f} -> {losses[-1]:.1f}"
                if memory_length > 0:
                    for m in (16, 24):
                        line += f"   read with memory {m}: {evaluate(task, m):.1f}"
                print(line)
            if place.rank == 0 and name == "memory":
                weights = where_it_looks(task)[0]
        if place.rank == 0:
            print("weights of a first query:", [round(w, 1) for w in weights.tolist()])


if __name__ == "__main__":
    main()
