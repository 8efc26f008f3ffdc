r"""
Which pages of labml_nn state which numbers, and what each of them is checked with.

`STATED` holds results: a function computes the words. `SETTINGS` holds numbers that were chosen and
not found: each must stand in the code of its page. `NO_CLAIMS` holds the few that claim nothing.
"""

import math
from collections.abc import Callable

import torch

from labml_nn.transformers.masks import causal_mask
from tests.labml_nn.stated_layers import (
    causal_example,
    default_embedding,
    kept_when_fused,
    kept_with_dropout,
    kept_with_mask,
    kept_without,
    late_angle,
    line_of_the_shift,
    narrow_caption,
    narrow_maps,
    numbers_for_distances,
    row,
    share_of_feed_forward,
    shifted_matrix,
    size_of_encoding,
    size_of_scores,
    slowest_hand,
    spread,
    tex,
    wide_heads,
    work_in_blocks,
)
from tests.labml_nn.stated_tasks import (
    best_loss,
    chance,
    default_warm_up,
    far_tokens,
    highest_rate,
    lengths_of_marks,
    letters_between_marks,
    letters_of_reversal,
    looked_at,
    mistaken,
    moved_logits,
    padding_key,
    recall_judged,
    recall_memory,
    recalled,
    rhythm_of_progress,
    smoothed_gap,
    stays_at_chance,
    warm_up_of_the_task,
    zero_of_the_first_query,
)

STATED: list[tuple[str, Callable[[], str]]] = [
    ("training", rhythm_of_progress),
    ("transformers/mha", spread),
    ("transformers/mha", lambda: rf"$e^8 \approx {round(math.e**8, -3):.0f}$"),
    ("transformers/mha", lambda: f"`float16` ends at {torch.finfo(torch.float16).max:.0f}"),
    ("transformers/models", size_of_encoding),
    ("transformers/models", default_embedding),
    ("transformers/models", moved_logits),
    ("transformers/positional_encoding", slowest_hand),
    ("transformers/positional_encoding", late_angle),
    ("transformers/feed_forward", share_of_feed_forward),
    ("transformers/fast_mha", size_of_scores),
    ("transformers/fast_mha", kept_without),
    ("transformers/fast_mha", kept_with_mask),
    ("transformers/fast_mha", kept_with_dropout),
    ("transformers/fast_mha", kept_when_fused),
    ("transformers/masks", lambda: f"$${tex(causal_mask(3))}$$"),
    ("transformers/masks", lambda: f"$${tex(causal_mask(2, 5))}$$"),
    ("transformers/masks", padding_key),
    ("transformers/label_smoothing", smoothed_gap("and ten tokens it is ")),
    ("transformers/label_smoothing", smoothed_gap("With smoothing it stops at ")),
    ("transformers/warmup", highest_rate),
    ("transformers/warmup", default_warm_up),
    ("transformers/experiment", letters_of_reversal),
    ("transformers/experiment", warm_up_of_the_task),
    (
        "transformers/experiment",
        best_loss("the best answer that there is has a loss of {loss:.2f}"),
    ),
    ("transformers/experiment", best_loss("The loss falls to about {loss:.2f}, the least that")),
    ("transformers/self_attention/wide", wide_heads),
    (
        "transformers/self_attention/narrow",
        row("wide", "all 128 features", r"8, each $128 \times 128$"),
    ),
    (
        "transformers/self_attention/narrow",
        row("usual", "all 128 features", r"8, each $16 \times 128$"),
    ),
    (
        "transformers/self_attention/narrow",
        row("narrow", "its own 16 features", r"1, of $16 \times 16$, shared"),
    ),
    ("transformers/self_attention/narrow", narrow_maps),
    ("transformers/self_attention/narrow", narrow_caption),
    ("transformers/self_attention/narrow", lambda: rf"$\frac{{1}}{{16}} \approx {1 / 16:.2f}$"),
    ("transformers/self_attention/experiment", chance(2)),
    ("transformers/self_attention/experiment", lengths_of_marks),
    ("transformers/self_attention/experiment", letters_between_marks),
    ("transformers/xl/experiment", chance(8)),
    ("transformers/xl/experiment", recall_memory),
    ("transformers/xl/experiment", recall_judged),
    ("transformers/xl/experiment", recalled),
    ("transformers/xl/experiment", mistaken),
    ("transformers/xl/experiment", stays_at_chance),
    ("transformers/xl/experiment", looked_at),
    ("transformers/xl/model", far_tokens),
    ("transformers/xl/relative_mha", numbers_for_distances),
    ("transformers/xl/relative_mha", shifted_matrix),
    ("transformers/xl/relative_mha", line_of_the_shift),
    ("transformers/xl/relative_mha", zero_of_the_first_query),
    ("transformers/xl/fast_relative_mha", causal_example),
    ("transformers/xl/fast_relative_mha", work_in_blocks),
]
"""A page, and what computes words that stand on it."""

SETTINGS: list[tuple[str, str, str]] = [
    ("training", "One run makes 200 steps.", "run(200)"),
    ("training", "Another stops after 100,", "run(100, Path"),
    ("transformers/mha", "16 keys", "torch.randn(d_k, 16)"),
    ("transformers/label_smoothing", "is trained to predict token 3,", "torch.tensor([3])"),
    ("transformers/experiment", "500 new sequences", "size=500"),
    ("transformers/experiment", "a smoothing of 0.1", "smoothing=0.1"),
    ("transformers/experiment", "32 sequences", "size=32"),
    ("transformers/self_attention/experiment", "1000 sequences", "size=1000"),
    ("transformers/self_attention/narrow", "and 8 heads:", "parameter_counts(128, 8)"),
    ("transformers/self_attention/narrow", "the best of 16 keys", "torch.randn(16, 16)"),
    ("transformers/xl/experiment", "32 random texts", "(TEXT, 32)"),
    (
        "transformers/xl/model",
        "token 15 stands in the fourth segment, tokens 12 to 15.",
        "randn(16, 1",
    ),
    ("transformers/xl/experiment", "over 32 texts", "(TEXT, 32)"),
]
"""A page, words of it with a number that was chosen, and the code of the page that has it."""

NO_CLAIMS: list[tuple[str, str, str]] = [
    ("figures", "steps 1, 2, 3,", "a way to count"),
    ("transformers/experiment", "The first half of the decoder's layer", "a part of a layer"),
    ("transformers/fast_mha", "For 512 tokens, 8 heads and a batch of 8", "the example"),
    ("transformers/greedy", "at different times", "no number"),
    ("transformers/mha", "a difference of 8 between", "the number that was just derived"),
    ("transformers/positional_encoding", "the thousands", "the length of the table"),
    ("transformers/self_attention/classifier", "0 times infinity", "arithmetic"),
    ("transformers/self_attention/narrow", r"$\sqrt{h}$ times too small", "arithmetic"),
    ("transformers/self_attention/wide", "Every query times every key", "a product"),
    ("transformers/xl/experiment", "the judged half", "the settings at the top of the page"),
    ("transformers/xl/fast_relative_mha", "then hides half of them", "about a triangle"),
    ("transformers/xl/model", "segments of, say, 8 tokens", "an example"),
]
"""A page, words of it that hold a number, and why there is nothing to compute."""
