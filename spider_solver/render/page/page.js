"use strict";
// Shows a recorded game. This script knows no rules: the data has the effect of each entry; see
// render/html.py. All states are computed at the start. A state shares the columns that did not
// change with the state before it.
(() => {
  const RANKS = ["", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
  const RANK_NAMES = ["", "ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king"];
  const SUIT_NAMES = ["spades", "hearts", "diamonds", "clubs"];
  const LETTERS = "SHDC", SIGNS = "♠♥♦♣";
  const COLUMNS = 10, RUNS = 8;
  const find = (id) => document.getElementById(id);
  const data = JSON.parse(find("data").textContent);
  const table = find("table"), slider = find("slider"), list = find("actions");
  const total = data.steps.length;

  // Cards. A card keeps its element for the whole game, so that the browser animates its moves.

  const cards = [];
  const rankOf = (id) => cards[id].code & 15, suitOf = (id) => cards[id].code >> 4;
  const UNKNOWN = 4;  // stands for the suit of an unknown card; its rank is 0
  const nameOf = (id) => suitOf(id) === UNKNOWN ? "unknown card" : `${RANK_NAMES[rankOf(id)]} of ${SUIT_NAMES[suitOf(id)]}`;

  const PIPS = {
    1: [[50, 50]], 2: [[50, 12], [50, 88]], 3: [[50, 12], [50, 50], [50, 88]],
    4: [[28, 12], [72, 12], [28, 88], [72, 88]], 5: [[28, 12], [72, 12], [50, 50], [28, 88], [72, 88]],
    6: [[28, 12], [72, 12], [28, 50], [72, 50], [28, 88], [72, 88]],
    7: [[28, 12], [72, 12], [50, 31], [28, 50], [72, 50], [28, 88], [72, 88]],
    8: [[28, 12], [72, 12], [50, 31], [28, 50], [72, 50], [50, 69], [28, 88], [72, 88]],
    9: [[28, 10], [72, 10], [28, 36], [72, 36], [50, 50], [28, 64], [72, 64], [28, 90], [72, 90]],
    10: [[28, 10], [72, 10], [50, 23], [28, 36], [72, 36], [28, 64], [72, 64], [50, 77], [28, 90], [72, 90]],
  };

  function art(rank, suit) {
    const pip = (x, y, size, turned) =>
      `<use href="#pip${suit}" x="${x - size / 2}" y="${y - size / 2}" width="${size}" height="${size}"` +
      `${turned ? ` transform="rotate(180 ${x} ${y})"` : ""}/>`;
    if (rank <= 10) {
      const size = rank === 1 ? 46 : rank < 9 ? 23 : 20;
      return PIPS[rank].map(([x, y]) => pip(x, 2 + y * 0.96, size, y > 55)).join("");
    }
    return `<rect x="9" y="1" width="82" height="99" rx="5"/><use href="#court${rank}" x="26" y="9" width="48" height="24"/>` +
      `<text x="50" y="83">${RANKS[rank]}</text>${pip(21, 13, 15)}${pip(79, 88, 15, true)}`;
  }

  function makeUnknownCard() {
    const element = document.createElement("div");
    element.className = "card";
    element.innerHTML = '<div class="face"><span class="corner"><b>?</b></span></div><div class="cover"></div>';
    cards.push({ code: UNKNOWN << 4, element });
    return cards.length - 1;
  }

  function makeCard(text) {
    if (text === "??") return makeUnknownCard();
    const suit = LETTERS.indexOf(text[1]), rank = "0A23456789TJQK".indexOf(text[0]);
    const element = document.createElement("div");
    element.className = `card s${suit}`;
    element.innerHTML =
      `<div class="face"><span class="corner"><b>${RANKS[rank]}</b><svg><use href="#pip${suit}"/></svg></span>` +
      `<svg class="art" viewBox="0 -4 100 108">${art(rank, suit)}</svg></div><div class="cover"></div>`;
    cards.push({ code: (suit << 4) | rank, element });
    return cards.length - 1;
  }
  const makeCards = (texts) => (texts.match(/../g) || []).map(makeCard);

  // States. A state has these fields; cards are indices of the array `cards`:
  //   columns  ten arrays of cards, bottom card first
  //   down     number of face-down cards of each column
  //   stock    array of cards, in the order dealt
  //   runs     completed runs, each an array of thirteen cards
  //   moved    cards that the last entry moved
  //   fresh    number of runs that the last entry completed
  //   moves, rows, score

  function allStates() {
    const fullSuit = (letter) => makeCards([..."KQJT98765432A"].map((rank) => rank + letter).join(""));
    const states = [{
      columns: data.columns.map(makeCards), down: data.down, stock: makeCards(data.stock),
      runs: [...data.completed].map(fullSuit), moved: [], fresh: 0, moves: 0, rows: 0, score: data.score,
    }];
    for (const step of data.steps) {
      const before = states[states.length - 1];
      states.push(step.to === undefined ? stateAfter(before, step)
        : { ...states[step.to], moved: step.undo ? states[step.undo].moved : [], fresh: 0 });
    }
    return states;
  }

  // The state after a move or a row.
  function stateAfter(before, step) {
    const columns = before.columns.slice(), down = before.down.slice(), runs = before.runs.slice();
    let stock = before.stock, moved;
    if (step.move) {
      const [from, to, count] = step.move, cut = columns[from].length - count;
      moved = columns[from].slice(cut);
      columns[from] = columns[from].slice(0, cut);
      columns[to] = columns[to].concat(moved);
    } else {
      moved = stock.slice(0, COLUMNS);
      stock = stock.slice(COLUMNS);
      moved.forEach((card, column) => { columns[column] = columns[column].concat(card); });
    }
    for (const column of step.done || []) {
      runs.push(columns[column].slice(-13));
      columns[column] = columns[column].slice(0, -13);
    }
    for (const column of step.turn || []) down[column] -= 1;
    const { moves, rows, score } = step;
    return { columns, down, stock, runs, moved, fresh: (step.done || []).length, moves, rows, score };
  }

  const states = allStates();
  const marks = data.steps.flatMap((step, index) =>
    step.to === undefined && (!step.move || step.done) ? [index + 1] : []);

  // Layout. Ten columns; above them the stock, two columns wide, and the eight completed runs.

  const slots = [];
  for (let column = 0; column < COLUMNS; column += 1) {
    for (const upper of [true, false]) {
      if (upper && column === 1) continue;
      const element = document.createElement("div");
      element.className = "slot";
      slots.push({ element, column, upper });
      table.append(element);
    }
    const label = document.createElement("div");
    label.className = "label";
    label.textContent = column + 1;
    slots.push({ element: label, column, label: true });
    table.append(label);
  }
  for (const { element } of cards) table.append(element);
  const finish = document.createElement("p");
  finish.className = "finish";
  finish.textContent = "Won";
  table.append(finish);

  let size = null;
  let current = 0;

  function measure() {
    const width = table.clientWidth, small = width < 560;
    const least = small ? 2 : Math.round(width * 0.011), edge = small ? 4 : least + 6;
    const wide = (width - 2 * edge - 9 * least) / COLUMNS;
    const w = Math.floor(small ? wide : Math.min(wide, Math.max(64, table.clientHeight * 0.135), 112));
    const gap = Math.min((width - 2 * edge - COLUMNS * w) / 9, w * 0.32);
    const h = Math.round(w * 1.4), index = Math.min(Math.max(w * 0.27, Math.min(15.5, w * 0.44)), 24);
    const strip = Math.round(index * 1.22);
    const left = (width - COLUMNS * w - 9 * gap) / 2;
    size = { w, h, gap, left, strip, fan: strip + 1, hidden: Math.max(5, Math.round(w * 0.11)), top: small ? 6 : 12 };
    size.columns = size.top + h + 20;
    table.style.setProperty("--w", `${w}px`);
    table.style.setProperty("--h", `${h}px`);
    table.style.setProperty("--index", `${index}px`);
    table.style.setProperty("--strip", `${strip}px`);
    if (window.matchMedia("(max-width: 959px)").matches) {
      const tallest = Math.max(...states.map((state) => Math.max(...state.columns.map((column, c) => natural(column.length, state.down[c])))));
      // High enough for the longest column, but the controls below must stay on the screen.
      const above = table.getBoundingClientRect().top + window.scrollY, below = find("controls").offsetHeight;
      const visible = Math.max(window.innerHeight - above - below - 16, 260);
      table.style.height = `${Math.min(size.columns + tallest + 8, visible)}px`;
    } else {
      table.style.height = "";
    }
    size.fanHeight = table.clientHeight - size.columns - h - 8;
    for (const { element, column, upper, label } of slots) {
      const y = label ? size.columns - 18 : upper ? size.top : size.columns;
      element.style.transform = `translate(${left + column * (w + gap)}px, ${y}px)`;
    }
    placeMarks();
  }

  function placeMarks() {
    // Where marks would overlap, the earlier ones are moved to the left.
    const buttons = [...find("marks").children], width = find("marks").clientWidth;
    let limit = Infinity;
    marks.map((mark, index) => [mark, buttons[index]]).reverse().forEach(([mark, button]) => {
      limit = Math.min((width * mark) / total, limit - 14);
      button.style.left = `${Math.max(limit, 0)}px`;
    });
  }

  const peeking = () => document.body.classList.contains("peek");
  // Height of a column that is not squeezed.
  const natural = (length, down) =>
    size.h + Math.max(0, length - 1 - down) * size.fan + Math.min(down, Math.max(0, length - 1)) * (peeking() ? size.fan : size.hidden);

  function placeCard(id, column, y, depth, { down = false, undealt = false, moved = false, shift = 0 } = {}) {
    const { element } = cards[id];
    const x = size.left + column * (size.w + size.gap) + shift;
    element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    element.style.zIndex = depth + 1;
    element.classList.toggle("down", down);
    element.classList.toggle("undealt", undealt);
    element.classList.toggle("moved", moved);
  }

  function showBoard(state) {
    const moved = new Set(state.moved);
    state.columns.forEach((column, c) => {
      const down = state.down[c], last = column.length - 1;
      const hidden = peeking() ? size.fan : size.hidden;
      const wanted = natural(column.length, down) - size.h;
      const squeeze = wanted > size.fanHeight ? size.fanHeight / wanted : 1;
      let y = size.columns;
      column.forEach((id, place) => {
        placeCard(id, c, y, place, { down: place < down, moved: moved.has(id) });
        if (place < last) y += (place < down ? hidden : size.fan) * squeeze;
      });
    });
    state.stock.forEach((id, place) => {
      const row = Math.floor((state.stock.length - 1 - place) / COLUMNS);
      placeCard(id, 0, size.top, state.stock.length - place, { down: true, undealt: true, shift: row * size.w * 0.2 });
    });
    state.runs.forEach((run, place) => run.forEach((id, depth) =>
      placeCard(id, 2 + place, size.top, 200 - depth, { moved: !depth && place >= state.runs.length - state.fresh })));
    finish.hidden = state.runs.length < RUNS;
  }

  // The text beside the board.

  // Cards by their names, for screen readers.
  const withCardNames = (text) => text.replace(/([A2-9TJQK])([♠♥♦♣])\ufe0e?/g, (_, rank, sign) =>
    `${RANK_NAMES["0A23456789TJQK".indexOf(rank)]} of ${SUIT_NAMES[SIGNS.indexOf(sign)]}`)
    .replace(/[♠♥♦♣]\ufe0e? ?/g, "");
  const entry = (number) => list.querySelector(`[data-number="${number}"]`);

  function showText(state) {
    find("count-action").textContent = current;
    find("count-moves").textContent = state.moves;
    find("count-rows").textContent = state.rows;
    const left = state.stock.length / COLUMNS;
    find("count-left").textContent = ` (${left} left)`;
    find("count-runs").textContent = state.runs.length;
    find("count-score").textContent = state.score;
    slider.value = current;
    const button = entry(current);
    const words = withCardNames([...button.querySelector(".what").childNodes].map((node) => node.textContent).join("; "));
    slider.setAttribute("aria-valuetext", `${current} of ${total}: ${words}`);
    find("now").innerHTML = button.innerHTML;
    if (!timer) find("status").textContent =
      `Action ${current} of ${total}. ${words}. Moves ${state.moves}, rows ${state.rows}, runs ${state.runs.length}, score ${state.score}.`;
    const previous = list.querySelector("[aria-current]");
    if (previous) { previous.removeAttribute("aria-current"); previous.tabIndex = -1; }
    button.setAttribute("aria-current", "step");
    button.tabIndex = 0;
    const box = list.getBoundingClientRect(), item = button.getBoundingClientRect();
    if (item.top < box.top + 20 || item.bottom > box.bottom - 50) list.scrollTop += item.top - box.top - box.height / 3;
    find("words-stock").textContent =
      `Stock: ${left} ${left === 1 ? "row" : "rows"} left. Completed runs: ${state.runs.map((run) => SUIT_NAMES[suitOf(run[0])]).join(", ") || "none"}.`;
    find("words-columns").innerHTML = state.columns.map((column, c) => {
      const shown = column.slice(state.down[c]).map(nameOf).join(", ");
      return `<li>Column ${c + 1}: ${state.down[c] ? `${state.down[c]} face down, then ` : ""}${shown || "empty"}</li>`;
    }).join("");
    for (const id of ["first", "mark-back", "back"]) find(id).disabled = current === 0;
    for (const id of ["next", "mark-next", "last"]) find(id).disabled = current === total;
  }

  let addressTimer = 0;

  function updateAddress() {
    // Browsers limit the number of changes per second. Some allow no change to a file's address.
    try { history.replaceState(null, "", `#${current}`); } catch { /* the address stays as it is */ }
  }

  function show(number) {
    current = Math.min(Math.max(Math.round(number) || 0, 0), total);
    showBoard(states[current]);
    showText(states[current]);
    clearTimeout(addressTimer);
    addressTimer = setTimeout(updateAddress, 200);
  }

  // Playing, and the controls.

  let timer = 0;

  function play(on) {
    clearInterval(timer);
    timer = 0;
    if (on) {
      if (current === total) show(0);
      timer = setInterval(() => { show(current + 1); if (current === total) play(false); }, Number(find("speed").value));
    }
    find("play").innerHTML = `<svg><use href="#icon-${on ? "pause" : "play"}"/></svg>`;
    find("play").setAttribute("aria-label", on ? "Pause" : "Play");
    if (!on && size) showText(states[current]);
  }
  const goTo = (number) => { play(false); show(number); };
  const commands = {
    first: () => goTo(0), last: () => goTo(total), back: () => goTo(current - 1), next: () => goTo(current + 1),
    "mark-back": () => goTo(marks.findLast((mark) => mark < current) ?? 0),
    "mark-next": () => goTo(marks.find((mark) => mark > current) ?? total),
    play: () => play(!timer),
  };
  for (const [id, command] of Object.entries(commands)) find(id).addEventListener("click", command);
  slider.addEventListener("input", () => goTo(Number(slider.value)));
  find("speed").addEventListener("change", () => { if (timer) play(true); });
  list.addEventListener("click", (event) => {
    const button = event.target.closest("[data-number]");
    if (!button) return;
    goTo(Number(button.dataset.number));
    if (table.getBoundingClientRect().bottom < 160) table.scrollIntoView({ block: "start" });
  });
  for (const mark of marks) {
    const step = data.steps[mark - 1], button = document.createElement("button");
    const suit = step.done ? suitOf(states[mark].runs.at(-1)[0]) : -1;
    const what = step.done ? `completed run of ${SUIT_NAMES[suit]}` : "row";
    button.type = "button";
    button.title = `Action ${mark}: ${what}`;
    button.setAttribute("aria-label", button.title);
    button.innerHTML = step.done ? `<i class="${"shdc"[suit]}"><svg><use href="#pip${suit}"/></svg></i>` : '<span class="bar"></span>';
    button.addEventListener("click", () => goTo(mark));
    find("marks").append(button);
  }

  const KEYS = {
    ArrowRight: "next", ArrowLeft: "back", ArrowDown: "next", ArrowUp: "back",
    PageDown: "mark-next", PageUp: "mark-back", Home: "first", End: "last", " ": "play", 4: "four", p: "peek",
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.closest("select, details")) return;
    const vertical = event.key === "ArrowDown" || event.key === "ArrowUp";
    if (vertical && event.target !== slider && !list.contains(event.target)) return;
    if (event.key === " " && event.target.closest("button") && event.target.id !== "play") return;
    const id = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!id) return;
    event.preventDefault();
    find(id).click();
    if (list.contains(event.target)) entry(current).focus({ preventScroll: true });
  });

  // Options, stored if the browser allows it.

  const store = (key, value) => { try { localStorage.setItem(`spider-${key}`, value); } catch { /* not stored */ } };
  const stored = (key) => { try { return localStorage.getItem(`spider-${key}`); } catch { return null; } };
  for (const id of ["four", "peek"]) {
    const set = (on) => {
      document.body.classList.toggle(id, on);
      find(id).setAttribute("aria-pressed", on);
      store(id, on);
      if (size) resize();
    };
    find(id).addEventListener("click", () => set(!document.body.classList.contains(id)));
    if (stored(id) === "true") set(true);
  }
  const THEMES = ["auto", "light", "dark"], system = window.matchMedia("(prefers-color-scheme: dark)");
  let theme = THEMES.includes(stored("theme")) ? stored("theme") : "auto";
  function applyTheme() {
    document.documentElement.classList.toggle("dark", theme === "dark" || (theme === "auto" && system.matches));
    find("theme").textContent = `Theme: ${theme}`;
  }
  find("theme").addEventListener("click", () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
    store("theme", theme);
    applyTheme();
  });
  system.addEventListener("change", applyTheme);
  applyTheme();

  function resize() {
    measure();
    showBoard(states[current]);
  }
  list.classList.toggle("long", total > 1000);
  measure();
  for (const button of list.querySelectorAll("button")) button.tabIndex = -1;
  show(Number(location.hash.slice(1)));
  new ResizeObserver(resize).observe(table);
  window.addEventListener("hashchange", () => { if (Number(location.hash.slice(1)) !== current) goTo(Number(location.hash.slice(1))); });

  // For tests and other programs that read the page.
  const texts = (ids) => ids.map((id) =>
    suitOf(id) === UNKNOWN ? "??" : RANKS[rankOf(id)].replace("10", "T") + LETTERS[suitOf(id)]);
  const board = ({ columns, down, stock, runs, moves, rows, score }) => ({
    columns: columns.map(texts), down, stock: texts(stock), runs: runs.map((run) => LETTERS[suitOf(run[0])]), moves, rows, score,
  });
  window.spider = { total, show: goTo, number: () => current, board: (number = current) => board(states[number]) };
})();
