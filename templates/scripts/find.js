// Looks through the index of a language. It is loaded with the index, when a reader searches for
// the first time, and knows nothing of the page: an index goes in, and what finds in it comes out.

// The anchors of all units: dots stand for what one shares with that before it, `~` for the words of
// its heading or its text.
globalThis.pylitAnchors = ({ anchors, headings, texts }) => {
  const [heads, bodies] = [headings.split("\x7f"), texts.split("\x7f")];
  let before = [];
  return anchors.split("\x7f").map((written, at) => {
    const shared = /^\.*/.exec(written)[0].length;
    const parts = [...before.slice(0, shared), ...written.slice(shared).split(".")];
    if (written && written !== "~") before = [...parts];
    if (parts.at(-1) === "~") {
      const words = (heads[at] || bodies[at]).slice(0, 100).toLowerCase().match(/[a-z0-9]+/g).join("-");
      // Those of a heading are all there; a section has as many whole words as there is room for.
      const whole = words.slice(0, 33).replace(/-?[^-]*$/, "") || words.slice(0, 32);
      parts.splice(-1, 1, parts.length === 1 || words.length <= 32 ? words : whole);
    }
    return parts.join(".");
  });
};

globalThis.pylitFinder = (index) => {
  const JOINERS = /[\u200b-\u200d\u2060]/g;
  const WIDE = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー]";
  const WORDS = new RegExp(`${WIDE}+|(?:(?!${WIDE})[\\p{L}\\p{M}\\p{N}_])+`, "gu");
  const LETTER = /[\p{L}\p{M}\p{N}]/u;
  const wide = (word) => new RegExp(WIDE, "u").test(word);

  // Capitals and small letters, wide and narrow ones are the same to a reader. No sign becomes two,
  // so that a place in the folded text is the same place in the text.
  const known = new Map();
  const foldSign = (sign) => {
    if (!known.has(sign)) {
      const folded = sign.normalize("NFKC").toLowerCase();
      known.set(sign, folded.length === sign.length ? folded : sign);
    }
    return known.get(sign);
  };
  const fold = (text) => text.replace(/[A-Z]|[^\x00-\x7f]/gu, foldSign);
  const bare = (text) => fold(text).replace(/[^\p{L}\p{M}\p{N}]+/gu, "");
  const field = (text) => {
    const clean = text.replace(JOINERS, "");
    return { clean, folded: fold(clean) };
  };

  // A name and its parts: `shift_right` is also found by `right`, `LayerNorm` by `norm`.
  const parts = (name) => fold(name.replace(/([\p{Ll}\d])(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, "$1$2_"))
    .split(/[_.]+/u).filter(Boolean);

  // The index has the headings of all units in one text, what they define in another, and so on.
  const anchors = pylitAnchors(index);
  const [headings, defined, texts] =
    ["headings", "defined", "texts"].map((part) => index[part].split("\x7f"));
  const units = [];
  for (const [address, title, count] of index.pages) {
    const page = { address, title: field(title), bare: bare(title) };
    for (const end = units.length + count; units.length < end;) {
      const at = units.length;
      const [anchor, heading, text] = [anchors[at], headings[at], texts[at]];
      const name = defined[at] === "=" ? anchor : defined[at];
      units.push({
        page, anchor, name, text,
        first: anchor === "",
        heading: field(heading),
        prose: field(text),
        bare: bare(name),
        last: fold(name.split(".").at(-1)),
        parts: parts(name.split(".").at(-1)),
        // A method is also found by its class, but the class itself comes first.
        outer: [...parts(name), ...fold(name).split(".")],
      });
    }
  }
  // The units of a name are steps from one to the next, with letters as digits, of which the last
  // is small. The first step is from the first unit of the name before.
  const number = (letters) => parseInt(letters.replace(/[a-z]/gi, (letter) =>
    (letter.toLowerCase().charCodeAt(0) - 97).toString(26)), 26);
  const steps = index.uses.split(" ");
  let start = 0;
  const names = index.names.split(" ").filter(Boolean).map((name, place) => {
    let unit = start;
    const there = steps[place].match(/[A-Z]*[a-z]/g).map((letters) => unit += number(letters));
    start = there[0];
    return { name, folded: fold(name), parts: parts(name), units: there };
  });

  // Where a word stands in a field, and how well: 3 as a word, 2 at the start of one, 1 inside one.
  const place = (word, { clean, folded }) => {
    let best = null;
    for (let at = folded.indexOf(word); at >= 0; at = folded.indexOf(word, at + 1)) {
      if (wide(word)) return { at, rank: 3 };
      const before = clean[at - 1] ?? " ";
      const starts = !LETTER.test(before) || (/\p{Ll}|\d/u.test(before) && /\p{Lu}/u.test(clean[at]));
      const ends = !LETTER.test(clean[at + word.length] ?? " ");
      const rank = starts ? (ends ? 3 : 2) : word.length > 2 ? 1 : 0;
      if (rank > (best?.rank ?? 0)) best = { at, rank };
      if (rank === 3) break;
    }
    return best;
  };

  // For each unit that has the word: how much that counts, and what to show of it.
  const look = (word) => {
    const found = new Map();
    const add = (unit, score, more) => {
      const old = found.get(unit) ?? { score: 0 };
      found.set(unit, { ...old, ...more, score: Math.max(old.score, score) });
    };
    for (const { name, folded, parts, units } of names) {
      const score = folded === word ? 8
        : parts.includes(word) ? 4
        : folded.startsWith(word) || parts.some((part) => part.startsWith(word)) ? 3
        : word.length > 2 && folded.includes(word) ? 1 : 0;
      if (score) for (const unit of units) add(unit, score, score > (found.get(unit)?.score ?? 0) ? { name } : {});
    }
    const titles = new Map();
    // A section that uses a name is not listed for it if it speaks of it, which is worth more.
    const isName = names.some(({ folded }) => folded === word);
    units.forEach((unit, number) => {
      if (unit.last === word) add(number, 60);
      else if (unit.parts.includes(word)) add(number, 24);
      else if (unit.last.startsWith(word)) add(number, 16);
      else if (unit.outer.includes(word)) add(number, 7);
      else if (unit.parts.some((part) => part.startsWith(word))) add(number, 3);
      else if (word.length > 2 && unit.last.includes(word)) add(number, 1);
      const heading = place(word, unit.heading);
      if (heading) add(number, [0, 5, 9, 14][heading.rank]);
      const prose = place(word, unit.prose);
      if (prose) add(number, [0, 1, 3, isName ? 9 : 5][prose.rank], { at: prose.at, length: word.length });
      if (!titles.has(unit.page)) titles.set(unit.page, place(word, unit.page.title));
      const title = titles.get(unit.page);
      // The title of a page may say one of several words, but one must stand in the section.
      if (title && unit.first) add(number, [0, 6, 12, 20][title.rank]);
      else if (title && !found.has(number)) add(number, 0, { above: true });
    });
    return found;
  };

  const match = (words, query) => {
    const maps = words.map(look);
    const hits = [];
    for (const number of maps[0].keys()) {
      const each = maps.map((map) => map.get(number));
      if (each.some((hit) => !hit) || each.every((hit) => hit.above)) continue;
      const unit = units[number];
      let score = each.reduce((sum, hit) => sum + hit.score, 0);
      if (unit.bare && unit.bare === bare(query)) score += 80;
      if (unit.first && unit.page.bare === bare(query)) score += 60;
      if (words.length > 1 && unit.prose.folded.includes(fold(query))) score += 6;
      hits.push({ number, unit, each, score });
    }
    return hits.sort((a, b) => b.score - a.score || a.number - b.number);
  };

  // The words around a hit. Joiners, which do not count when searching, are shown again.
  const excerpt = (text, hit) => {
    const places = [];
    for (let at = 0; at < text.length; at++) if (!/[\u200b-\u200d\u2060]/.test(text[at])) places.push(at);
    const real = (at) => places[at] ?? text.length;
    const from = real(hit.at ?? 0);
    const to = real((hit.at ?? 0) + (hit.length ?? 0));
    let start = from < 50 ? 0 : from - 40;
    let end = Math.min(text.length, start + (wide(text.slice(start, start + 40)) ? 80 : 150));
    // Cut between words where there are any, and never within a sign.
    if (start) start = Math.min(from, (text.slice(start, from).match(/^\S*\s/) ?? [""])[0].length + start);
    if (end < text.length && end > to) end = Math.max(to, text.slice(0, end).replace(/\s\S{0,20}$/, "").length);
    while (start && start < from && /\p{M}|[\udc00-\udfff]|\u200d/u.test(text[start])) start++;
    while (end < text.length && /\p{M}|[\udc00-\udfff]|\u200d/u.test(text[end])) end++;
    return [(start ? "…" : "") + text.slice(start, from), text.slice(from, to), text.slice(to, end) + (end < text.length ? "…" : "")];
  };

  return (query) => {
    const plain = query.replace(JOINERS, "").trim();
    const words = [...new Set(fold(plain).match(WORDS) ?? [])];
    if (!words.length) return [];
    let hits = match(words, plain);
    if (!hits.length && words.some((word) => wide(word) && word.length > 2)) {
      // A run of characters that stands nowhere as a whole may stand in parts.
      const pairs = words.flatMap((word) => wide(word) ? [...word].slice(1).map((sign, at) => [...word][at] + sign) : word);
      hits = match([...new Set(pairs)], plain);
    }
    return hits.map(({ unit, each, score }) => {
      const shown = each.find((hit) => hit.at !== undefined);
      return {
        address: index.folder + unit.page.address,
        anchor: unit.anchor,
        page: unit.page.title.clean,
        label: unit.heading.clean || unit.name || unit.anchor.replace(/^module\.?|\.?[^.]*-[^.]*$/g, ""),
        name: shown ? "" : each.find((hit) => hit.name)?.name ?? "",
        score,
        get excerpt() { return excerpt(unit.text, shown ?? {}); },
      };
    });
  };
};
