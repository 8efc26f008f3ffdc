r"""
---
title: Transformer encoder and decoder
summary: Pre-norm layers, the stacks of them, token embeddings, and the whole encoder-decoder.
---
# Transformer encoder and decoder

The model of [Attention Is All You Need](https://arxiv.org/abs/1706.03762), section 3. The
*encoder* turns the source sequence into vectors. The *decoder* writes the target sequence token by
token; each of its layers looks at the target written so far, and then at the vectors of the
encoder.

## Where the normalisation stands

Each sub-layer $f$ (an attention or a [feed-forward network](feed_forward.html)) is surrounded by a
residual connection. The paper normalises after the addition; we normalise the input of the
sub-layer:

\begin{align}
\text{post-norm:}\quad x &\leftarrow \operatorname{LayerNorm}(x + f(x)) \\
\text{pre-norm:}\quad x &\leftarrow x + f(\operatorname{LayerNorm}(x))
\end{align}

With pre-norm a path of pure additions leads from the input of the stack to its end, and gradients
walk back along it undiminished, however many layers there are. With post-norm they pass through a
normalisation in every layer; at the start of training they are so large near the output that the
learning rate must be warmed up slowly ([Xiong et al.](https://arxiv.org/abs/2002.04745), section
3). As nothing normalises the sums of a pre-norm model on their way, a last normalisation follows
after the stack.
"""

import copy
import math

import torch
from torch import Tensor, nn

from labml_nn.transformers.feed_forward import FeedForward
from labml_nn.transformers.mha import MultiHeadAttention
from labml_nn.transformers.positional_encoding import PositionalEncoding


class EmbeddingsWithPositionalEncoding(nn.Module):
    r"""
    ## Token embeddings with fixed positions

    A table holds one vector for each of the `n_vocab` tokens, and the
    [sinusoidal encoding](positional_encoding.html) of its position is added. `dropout_prob` acts
    on the sum, as in section 5.4.

    The embedding is multiplied by $\sqrt{d_\text{model}}$ (section 3.4), and so the table must
    begin with a standard deviation of $1 / \sqrt{d_\text{model}}$. Features then begin with a
    standard deviation of 1. The encoding that is added is of the same size: as
    $\sin^2 + \cos^2 = 1$, the root mean square of its features is $1 / \sqrt 2 \approx 0.7$. The
    default of `nn.Embedding`, a standard deviation of 1 in the table, would become
    $\sqrt{d_\text{model}}$, about 23 with the 512 features of the paper's base model, and drown the
    positions. The small table also suits a [`Generator`][] that shares it.
    """

    def __init__(
        self, d_model: int, n_vocab: int, max_len: int = 5000, dropout_prob: float = 0.1
    ) -> None:
        super().__init__()
        self.embeddings = nn.Embedding(n_vocab, d_model)
        self.positions = PositionalEncoding(d_model, dropout_prob, max_len)
        self.scale = math.sqrt(d_model)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the table anew, with the standard deviation that suits the multiplication."""
        nn.init.normal_(self.embeddings.weight, std=1 / self.scale)

    def forward(self, tokens: Tensor) -> Tensor:
        """`tokens` has shape `[sequence, batch]`, the result `[sequence, batch, d_model]`."""
        return self.positions(self.embeddings(tokens) * self.scale)


class EmbeddingsWithLearnedPositionalEncoding(nn.Module):
    """
    ## Token embeddings with learned positions

    Here positions have a table too, one vector for each of `max_len` positions, learned like those
    of the tokens. The paper found both kinds about equally good (table 3, row E). Learned
    positions end at `max_len`, and a position that no training text reached has learned nothing. A
    longer sequence is a `ValueError`.
    """

    def __init__(
        self, d_model: int, n_vocab: int, max_len: int = 5000, dropout_prob: float = 0.1
    ) -> None:
        super().__init__()
        self.embeddings = nn.Embedding(n_vocab, d_model)
        self.positional_encodings = nn.Parameter(torch.empty(max_len, 1, d_model))
        self.dropout = nn.Dropout(dropout_prob)
        self.scale = math.sqrt(d_model)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw both tables anew, equally large: neither should drown the other."""
        nn.init.normal_(self.embeddings.weight, std=1 / self.scale)
        nn.init.normal_(self.positional_encodings, std=1 / self.scale)

    def forward(self, tokens: Tensor) -> Tensor:
        """`tokens` has shape `[sequence, batch]`, the result `[sequence, batch, d_model]`."""
        length, max_len = tokens.shape[0], self.positional_encodings.shape[0]
        if length > max_len:
            raise ValueError(
                f"The sequence (axis 0) has length {length}, but positions were made for "
                f"max_len={max_len}."
            )
        x = self.embeddings(tokens) + self.positional_encodings[:length]
        return self.dropout(x * self.scale)


class TransformerLayer(nn.Module):
    """
    ## One layer

    * `d_model` is the number of features of a token vector.
    * `self_attn` is the attention among the tokens of `x`. Anything that is called like
      [`MultiHeadAttention`](mha.html) will do.
    * `src_attn` is the attention to another sequence, for the layers of a decoder. Layers of an
      encoder have none.
    * `feed_forward` is the network for the single token.
    * `dropout_prob` is the probability of dropping a feature of what a sub-layer adds. The
      residual path itself is never dropped. Attention weights and the wide layer of the
      feed-forward network have dropout of their own.
    """

    def __init__(
        self,
        *,
        d_model: int,
        self_attn: nn.Module,
        src_attn: nn.Module | None = None,
        feed_forward: nn.Module,
        dropout_prob: float = 0.1,
    ) -> None:
        super().__init__()
        self.d_model = d_model
        self.self_attn = self_attn
        self.src_attn = src_attn
        self.feed_forward = feed_forward
        self.norm_self_attn = nn.LayerNorm(d_model)
        self.norm_src_attn = nn.LayerNorm(d_model) if src_attn is not None else None
        self.norm_ff = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout_prob)

    def forward(
        self,
        *,
        x: Tensor,
        mask: Tensor | None = None,
        src: Tensor | None = None,
        src_mask: Tensor | None = None,
    ) -> Tensor:
        """
        `x` has shape `[q, batch, d_model]`, and so has the result. `src`, of shape
        `[k, batch, d_model]`, is the other sequence. The masks say what `x` may see of itself and
        of `src`. To pass `src` to a layer that cannot look at it, or none to a layer that needs
        it, is a `ValueError`.
        """
        if (src is None) != (self.src_attn is None):
            raise ValueError(
                "This layer has a source attention, but src was not given."
                if src is None
                else "src was given, but this layer has no source attention."
            )

        # What is added to `x` was computed from the normalised `z`; `x` itself passes untouched.
        z = self.norm_self_attn(x)
        x = x + self.dropout(self.self_attn(query=z, key=z, value=z, mask=mask))

        # The queries come from the target, keys and values from the source. The source is not
        # normalised here: the encoder ends with a normalisation.
        if self.src_attn is not None and self.norm_src_attn is not None:
            z = self.norm_src_attn(x)
            x = x + self.dropout(self.src_attn(query=z, key=src, value=src, mask=src_mask))

        return x + self.dropout(self.feed_forward(self.norm_ff(x)))


def stack(layer: nn.Module, n_layers: int) -> nn.ModuleList:
    """
    ## Layers that begin differently

    `n_layers` layers built like `layer`, which itself becomes the first. The others are copies of
    it, and a copy has the same weights. Layers that begin equal are a poor start, so every part of
    a copy draws its weights anew by its own `reset_parameters`: inner parts first, since an outer
    one may know better. A part that owns parameters and has no such method is a `ValueError`.
    """
    if n_layers < 1:
        raise ValueError(f"There must be at least 1 layer, but n_layers is {n_layers}.")
    layers = [layer] + [copy.deepcopy(layer) for _ in range(n_layers - 1)]
    for clone in layers[1:]:
        for part in reversed(list(clone.modules())):
            reset = getattr(part, "reset_parameters", None)
            if callable(reset):
                reset()
            elif next(part.parameters(recurse=False), None) is not None:
                raise ValueError(
                    f"{type(part).__name__} needs a method reset_parameters, so that each of the "
                    f"{n_layers} layers can begin with its own weights."
                )
    return nn.ModuleList(layers)


class Encoder(nn.Module):
    """
    ## Encoder

    `n_layers` layers built like `layer`, each with its own weights, and the last normalisation.
    """

    def __init__(self, layer: TransformerLayer, n_layers: int) -> None:
        super().__init__()
        self.layers = stack(layer, n_layers)
        self.norm = nn.LayerNorm(layer.d_model)

    def forward(self, x: Tensor, mask: Tensor | None = None) -> Tensor:
        """`x` has shape `[sequence, batch, d_model]`, and so has the result."""
        for layer in self.layers:
            x = layer(x=x, mask=mask)
        return self.norm(x)


class Decoder(nn.Module):
    """
    ## Decoder

    `n_layers` layers with source attention, and the last normalisation. Every layer reads the same
    vectors from the encoder, those that come out of its end.
    """

    def __init__(self, layer: TransformerLayer, n_layers: int) -> None:
        super().__init__()
        self.layers = stack(layer, n_layers)
        self.norm = nn.LayerNorm(layer.d_model)

    def forward(
        self,
        x: Tensor,
        memory: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
    ) -> Tensor:
        """
        `x` has shape `[target, batch, d_model]`, and so has the result; `memory` is the result of
        the encoder, of shape `[source, batch, d_model]`. `src_mask` says what the target may see
        of the source, `tgt_mask` what it may see of itself. To be written token by token, a target
        needs the [causal mask](masks.html).
        """
        for layer in self.layers:
            x = layer(x=x, mask=tgt_mask, src=memory, src_mask=src_mask)
        return self.norm(x)


class Generator(nn.Module):
    """
    ## Generator

    From token vectors to *logits*, one number for each token of the vocabulary. They are not
    normalised: the loss `nn.CrossEntropyLoss` takes logits, and `softmax` turns them into
    probabilities.
    """

    def __init__(self, n_vocab: int, d_model: int) -> None:
        super().__init__()
        self.projection = nn.Linear(d_model, n_vocab)

    def forward(self, x: Tensor) -> Tensor:
        """`x` has shape `[..., d_model]`, the result `[..., n_vocab]`."""
        return self.projection(x)


class EncoderDecoder(nn.Module):
    """
    ## The whole model

    The embeddings may be the same module, if source and target share a vocabulary.
    """

    def __init__(
        self,
        encoder: Encoder,
        decoder: Decoder,
        src_embed: nn.Module,
        tgt_embed: nn.Module,
        generator: nn.Module,
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.decoder = decoder
        self.src_embed = src_embed
        self.tgt_embed = tgt_embed
        self.generator = generator

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
    ) -> Tensor:
        """
        `src` has shape `[source, batch]` and `tgt` has shape `[target, batch]`; the result is the
        logits of the token after each target token, `[target, batch, n_vocab]`.

        `src_mask`, of shape `[1, source, batch]`, hides the padding of the source. It must have 1
        on its first axis, as it serves the encoder's queries and the decoder's alike. `tgt_mask`
        has the shape `[target, target, batch]`, or a 1 in place of the last.
        """
        return self.generator(self.decode(self.encode(src, src_mask), tgt, src_mask, tgt_mask))

    def encode(self, src: Tensor, src_mask: Tensor | None = None) -> Tensor:
        """From source tokens to vectors of shape `[source, batch, d_model]`."""
        return self.encoder(self.src_embed(src), src_mask)

    def decode(
        self,
        memory: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
    ) -> Tensor:
        """
        From the encoder's vectors and the target tokens to vectors of shape
        `[target, batch, d_model]`. To write a sequence, encode once and call this in a loop.
        """
        return self.decoder(self.tgt_embed(tgt), memory, src_mask, tgt_mask)


def _demonstrate() -> None:
    """
    ## See it work

    A small model of two layers on each side, untrained: how many parameters it has, and the shapes
    of what goes in and what comes out. Then the one property that makes writing token by token
    possible: change target token 3, and see which logits move. The causal mask must keep those of
    tokens 0, 1 and 2 as they were.
    """
    torch.manual_seed(1)
    d_model, n_vocab = 16, 10

    def layer(src_attn: nn.Module | None) -> TransformerLayer:
        return TransformerLayer(
            d_model=d_model,
            self_attn=MultiHeadAttention(heads=4, d_model=d_model),
            src_attn=src_attn,
            feed_forward=FeedForward(d_model, d_ff=64),
        )

    model = EncoderDecoder(
        Encoder(layer(None), n_layers=2),
        Decoder(layer(MultiHeadAttention(heads=4, d_model=d_model)), n_layers=2),
        EmbeddingsWithPositionalEncoding(d_model, n_vocab),
        EmbeddingsWithPositionalEncoding(d_model, n_vocab),
        Generator(n_vocab, d_model),
    ).eval()
    print(f"{sum(p.numel() for p in model.parameters()):,} parameters")

    src, tgt = torch.randint(n_vocab, (7, 1)), torch.randint(n_vocab, (5, 1))
    changed = tgt.clone()
    changed[3] = (changed[3] + 1) % n_vocab
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    with torch.no_grad():
        logits = model(src, tgt, tgt_mask=causal)
        moved = (model(src, changed, tgt_mask=causal) - logits).abs().amax(dim=(1, 2)) > 0
    print("source", list(src.shape), "target", list(tgt.shape), "logits", list(logits.shape))
    print("Target token 3 was changed; which logits moved?", moved.tolist())


if __name__ == "__main__":
    _demonstrate()
