r"""
---
title: A task for encoder and decoder
summary: Write a sequence backwards, trained as in the paper, at a size that takes seconds.
---
# A task for encoder and decoder

The source is a row of ten random letters, and the target is the same row backwards. It is as plain
a translation as there can be, and needs every part of the [model](models.html). The encoder must
keep where each letter stands. The decoder must know how far it has written. The attention between
them must look from the first place to the last, from the second to the last but one, and so on: the
figure at the end of this page shows it, as a line from the upper right to the lower left.

The training follows [Attention Is All You Need](https://arxiv.org/abs/1706.03762), section 5: Adam
with the settings of the paper, [warm-up](warmup.html) of the learning rate, and
[label smoothing](label_smoothing.html). Then the model writes by itself, by
[greedy decoding](greedy.html), and a sequence counts as right only if every token is.
"""

from functools import cache
from pathlib import Path
from typing import cast

import torch
from torch import Tensor, nn

from labml_nn.figures import Figure, HeatMap, Lines, curve, matrix
from labml_nn.training import ALONE, Place, arguments, processes, train
from labml_nn.transformers.feed_forward import FeedForward
from labml_nn.transformers.greedy import greedy_decode
from labml_nn.transformers.label_smoothing import LabelSmoothingLoss
from labml_nn.transformers.masks import causal_mask
from labml_nn.transformers.mha import MultiHeadAttention
from labml_nn.transformers.models import (
    Decoder,
    EmbeddingsWithPositionalEncoding,
    Encoder,
    EncoderDecoder,
    Generator,
    TransformerLayer,
)
from labml_nn.transformers.warmup import warm_up

# The tokens: two that begin and end a target, and ten letters from 2 to 11. There is no padding, as
# all the sequences have the same length.
START, END, VOCABULARY = 0, 1, 12
LENGTH = 10
D_MODEL, HEADS = 64, 4


class Reverse(nn.Module):
    """
    ## The model and its loss

    One layer on each side, and one embedding for both, as they share their letters.
    """

    def __init__(self) -> None:
        super().__init__()
        embed = EmbeddingsWithPositionalEncoding(D_MODEL, VOCABULARY, LENGTH + 1, 0.0)
        self.model = EncoderDecoder(
            Encoder(self.layer(with_source=False), n_layers=1),
            Decoder(self.layer(with_source=True), n_layers=1),
            embed,
            embed,
            Generator(VOCABULARY, D_MODEL),
        )
        self.loss = LabelSmoothingLoss(smoothing=0.1)

    def layer(self, with_source: bool) -> TransformerLayer:
        """A layer of the decoder, `with_source` attention, or of the encoder."""
        return TransformerLayer(
            d_model=D_MODEL,
            self_attn=MultiHeadAttention(HEADS, D_MODEL, dropout_prob=0.0),
            src_attn=MultiHeadAttention(HEADS, D_MODEL, dropout_prob=0.0) if with_source else None,
            feed_forward=FeedForward(D_MODEL, 128, dropout_prob=0.0),
            dropout_prob=0.0,
        )

    def forward(self, src: Tensor) -> Tensor:
        """
        `src` has shape `[source, batch]`. The result is the loss.

        The decoder is given the right target from its start token on, and shall predict the same
        target without it, up to the end token: at each place the token that comes next.
        """
        tgt = src.flip(0)
        given = torch.cat([tgt.new_full((1, tgt.shape[1]), START), tgt])
        asked = torch.cat([tgt, tgt.new_full((1, tgt.shape[1]), END)])
        mask = causal_mask(len(given), device=src.device)
        return self.loss(self.model(src, given, tgt_mask=mask), asked)


def make_batch(generator: torch.Generator, size: int = 64) -> list[Tensor]:
    """
    ## The sequences

    `size` random sequences, of shape `[10, size]`.
    """
    return [torch.randint(END + 1, VOCABULARY, (LENGTH, size), generator=generator)]


def run(
    name: str, task: Reverse, steps: int, place: Place = ALONE, folder: Path | None = None
) -> list[float]:
    """
    ## The run

    The [common training loop](../training.html) with the optimizer of section 5.3, half its rate,
    and a warm-up of 50 steps. The result is the loss of each step.
    """
    task.to(place.device)
    optimizer = torch.optim.Adam(task.parameters(), lr=0.5, betas=(0.9, 0.98), eps=1e-9)
    return train(
        task,
        make_batch,
        steps=steps,
        optimizer=optimizer,
        schedule=warm_up(optimizer, D_MODEL, warmup=50),
        place=place,
        checkpoint=None if folder is None else folder / f"{name}.pt",
        name=name,
    )


def accuracy(task: Reverse) -> float:
    """
    ## Evaluation

    The share of 500 new sequences that are written backwards without a mistake, with the end token
    in its place.
    """
    (src,) = make_batch(torch.Generator().manual_seed(-1), size=500)
    src = src.to(next(task.parameters()).device)
    wanted = torch.cat([src.flip(0), src.new_full((1, 500), END)])
    out = greedy_decode(task.eval().model, src, start=START, end=END, max_len=len(wanted))

    # A model that ends every sequence too early writes fewer tokens; the rest is end tokens.
    written = torch.full_like(wanted, END)
    written[: len(out)] = out
    return (written == wanted).all(dim=0).double().mean().item()


def where_it_looks(task: Reverse) -> Tensor:
    """
    ## Where it looks

    The weights of the attention from the decoder to the source, averaged over the heads and over 32
    sequences that were not in the training. The shape is `[11, 10]`. Row $n$ belongs to the query
    that predicts token $n$ of the target, and the last row to the one that predicts its end.
    """
    model = task.eval().model
    layer = cast(TransformerLayer, model.decoder.layers[0])
    src_attn = cast(MultiHeadAttention, layer.src_attn)
    norm_src_attn = cast(nn.LayerNorm, layer.norm_src_attn)
    (src,) = make_batch(torch.Generator().manual_seed(-1), size=32)
    src = src.to(next(task.parameters()).device)
    tgt = torch.cat([src.new_full((1, 32), START), src.flip(0)])
    with torch.no_grad():
        # The first half of the decoder's layer, and then the weights of the second.
        memory, x = model.encode(src), model.tgt_embed(tgt)
        z = layer.norm_self_attn(x)
        x = x + layer.self_attn(query=z, key=z, value=z, mask=causal_mask(11, device=z.device))
        weights = src_attn.attention_weights(query=norm_src_attn(x), key=memory)
    return weights.mean(dim=(0, 1)).cpu()


@cache
def trained(steps: int, place: Place, folder: Path | None) -> tuple[Reverse, list[float]]:
    """
    ## A trained model

    With a fixed seed: the model, and the loss of each step. What was trained once is kept, so the
    demonstration and the figures show the same model.
    """
    torch.manual_seed(1)
    task = Reverse()
    return task, run("reverse", task, steps, place, folder)


def figures(steps: int = 100) -> dict[str, Figure]:
    """
    ## Figures

    How the loss falls, and where the decoder looks.
    """
    task, losses = trained(steps, ALONE, None)
    return {
        "loss": Lines(
            "The loss falls to about 0.53, the least that label smoothing allows.",
            x="step",
            y="loss (nats)",
            series={"loss": curve(losses, every=5, digits=2)},
        ),
        "source attention": HeatMap(
            "The target looks at the source from its end to its beginning.",
            x="place in the source",
            y="place in the target",
            values=matrix(where_it_looks(task), digits=2),
        ),
    }


def main() -> None:
    """
    ## See it work

    The loss at the beginning and at the end, one sequence, and the share of right ones. The loss
    does not fall to 0: with ten letters, two other tokens and a smoothing of 0.1, the best answer
    that there is has a loss of 0.53.
    """
    options = arguments("Write a sequence backwards.", steps=100)
    with processes() as place:
        task, losses = trained(options.steps, place, options.checkpoints)
        if place.rank == 0:
            print(f"loss {losses[0]:.1f} -> {losses[-1]:.1f}")
            src = torch.tensor([[2, 9, 7, 7, 5, 11, 3, 4, 10, 6]], device=place.device).t()
            out = greedy_decode(task.eval().model, src, start=START, end=END, max_len=11)
            print("source ", src.flatten().tolist())
            print("written", out.flatten().tolist())
            print(f"written without a mistake: {accuracy(task):.1%}")


if __name__ == "__main__":
    main()
