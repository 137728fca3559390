"use strict";
(() => {
/*RUNTIME*/
const D = /*DATA*/;
const n = D.n;
const lines = [
/*STEPS*/
];
const rows = D.series.map((row) => row.map(Number));
const held = (x) => typeof x !== "string" ? x : x[0] === "s" ? rows[+x.slice(1)] : x[0] === "u" ? Array(n).fill(+x.slice(1)) : +x.slice(1);
const read = (names, row) => Object.fromEntries(names.map((name, i) => [name, held(row[i])]));
const common = read(Object.keys(D.common), Object.values(D.common));
for (const f of D.fleets) {
  Object.assign(f, D.kinds[f.kind]);
  f.known = {...common, ...read(D.names, f.own)};
}
const moved = (s, shown, issued) => shown === s.base ? issued : !s.times ? shown / s.scale
  : Array.isArray(issued) ? issued.map((x) => x * shown) : issued * shown;
const compute = (f, at) => {
  const v = {...f.known};
  for (const s of D.sliders) for (const name of f.moves[s.key] ?? []) v[name] = moved(s, at[s.key], f.known[name]);
  for (let i = 0; i < f.run.length; i += 2) for (let j = 0; j < f.run[i + 1]; j++) lines[f.run[i] + j](v);
  const values = f.reads.map((name) => v[name]);
  const flag = D.flags.find(([name]) => f.reads.includes(name) && !v[name]), verdict = flag ? flag[1] : "ok";
  return {values, cost: D.unusable.includes(verdict) ? NaN : v[D.measure], verdict};
};
const issued = Object.fromEntries(D.sliders.map((s) => [s.key, s.base]));
const shows = (r) => Number.isFinite(r.cost);
const agrees = (x, y) => y === null ? !Number.isFinite(x) : Math.abs(x - y) <= 1e-9 * Math.max(Math.abs(x), Math.abs(y));
const ranks = (all) => {
  const fit = all.filter((r) => r.verdict === "ok" && shows(r)).sort((a, b) => a.cost - b.cost || (a.id < b.id ? -1 : 1));
  return new Map(fit.map((r, i) => [r.id, i + 1]));
};
const every = (at) => D.fleets.map((f) => ({id: f.id, ...compute(f, at)}));
if (typeof document === "undefined") { globalThis.whatif = {every, D, agrees}; return; }

const $ = (id) => document.getElementById(id);
const first = every(issued);
let wrong = 0, checked = 0;
D.fleets.forEach((f, i) => f.issued.forEach((x, j) => { checked++; if (!agrees(first[i].values[j], x)) wrong++; }));
if (wrong) {
  $("whatif-wait").textContent = `This browser computes ${wrong} of ${checked} values differently from the engine: no what-if is shown.`;
  return;
}
$("whatif-wait").textContent = `Checked against the engine: ${checked} values agree.`;
$("whatif-panel").hidden = false;
const at = {...issued};
const text = (x) => x.toLocaleString("en-US", {minimumFractionDigits: D.digits, maximumFractionDigits: D.digits});
const short = (x) => x.toLocaleString("en-US", {maximumSignificantDigits: 6});
const cell = (row, content, kind) => { const c = row.insertCell(); c.textContent = content; c.className = kind ?? "n"; return c; };
const before = ranks(first), LONGEST = 10;
const said = (r) => shows(r) ? text(r.cost) : r.verdict === "ok" ? "not defined" : r.verdict;
const change = (was, now) => {
  if (!shows(was) || !shows(now)) return "";
  const percent = (now.cost / was.cost - 1) * 100;
  return Math.abs(percent) < 0.05 ? "0.0 %" : `${percent < 0 ? "−" : "+"}${Math.abs(percent).toFixed(1)} %`;
};
const place = (rank, old) => rank === old ? `${rank ?? "–"}` : `${rank ?? "–"} (was ${old ?? "–"})`;
const bar = (c, value, most, kind) => {
  const b = document.createElement("span");
  b.className = value > most ? `${kind} cut` : kind;
  if (value > most) $("whatif-cut").hidden = false;
  b.style.width = `${100 * Math.min(Math.max(value / most, 0), 1)}%`;
  c.append(b);
};
const note = (c, words) => { const s = document.createElement("small"); s.className = "bad"; s.textContent = words; c.append(s); };
const draw = () => {
  const now = every(at), after = ranks(now), body = $("whatif-rows");
  const costs = [...first, ...now].filter(shows).map((r) => r.cost);
  const most = Math.max(...costs.filter((x) => x <= LONGEST * Math.min(...costs)), 1e-300);
  const changed = D.sliders.filter((s) => at[s.key] !== s.base);
  const stale = D.fleets.filter((f) => changed.some((s) => f.stale.includes(s.key))).map((f) => f.id);
  body.replaceChildren(); $("whatif-cut").hidden = true;
  const order = now.map((r, i) => i).sort((a, b) => (after.get(now[a].id) ?? 1e9) - (after.get(now[b].id) ?? 1e9) || a - b);
  for (const i of order) {
    const row = body.insertRow(), head = document.createElement("th");
    head.scope = "row"; head.textContent = now[i].id; row.append(head);
    if (stale.includes(now[i].id)) note(head, "choice may be stale");
    if (after.get(now[i].id) === 1) row.className = "best";
    cell(row, place(after.get(now[i].id), before.get(now[i].id)));
    cell(row, said(first[i]), "n");
    const told = cell(row, said(now[i]), shows(now[i]) ? "n" : "n bad");
    if (shows(now[i]) && now[i].verdict !== "ok") note(told, now[i].verdict);
    cell(row, change(first[i], now[i]));
    const bars = cell(row, "", "bars");
    if (shows(first[i])) bar(bars, first[i].cost, most, "was");
    if (shows(now[i])) bar(bars, now[i].cost, most, "now");
  }
  tell(now, after, changed, stale);
};
const tell = (now, after, changed, stale) => {
  $("whatif-state").textContent = changed.length
    ? `Moved: ${changed.map((s) => `${s.label} ${short(at[s.key])} ${s.unit} (issued ${short(s.base)})`).join("; ")}.`
    : "Nothing is moved: these are the numbers as issued.";
  $("whatif").classList.toggle("moved", changed.length > 0);
  $("whatif-link").href = address();
  const best = now.find((r) => after.get(r.id) === 1), lost = now.filter((r, i) => r.verdict !== first[i].verdict);
  const verdicts = lost.map((r) => `${r.id} is now ${r.verdict === "ok" ? "able to do the work" : `“${r.verdict}”`}.`);
  $("whatif-said").textContent = [best ? `Cheapest: ${best.id} at ${text(best.cost)}.` : "No fleet can do the work.", ...verdicts].join(" ");
  $("whatif-stale").hidden = !stale.length;
  $("whatif-stale").textContent = stale.length ? `Choice may be stale: ${stale.join(", ")}. The engine searched for the issued inputs, and would choose otherwise at others; run the scenario again to search anew.` : "";
};
const address = () => {
  const parts = D.sliders.filter((s) => at[s.key] !== s.base).map((s) => `${s.key}:${at[s.key]}`);
  return parts.length ? `#whatif=${parts.join(",")}` : "#whatif";
};
const save = () => {
  try { history.replaceState(null, "", address()); } catch { /* a frame without an address keeps none */ }
};
const set = (s, value) => {
  if (Number.isFinite(value)) at[s.key] = Math.min(s.high, Math.max(s.low, value));
  $(`whatif-${s.key}`).value = at[s.key];
  $(`whatif-${s.key}`).setAttribute("aria-valuetext", `${short(at[s.key])} ${s.unit}`);
};
const restore = () => {
  if (!/^#whatif(=|$)/.test(location.hash)) return false;
  const asked = new Map(location.hash.slice(8).split(",").map((part) => part.split(":")));
  for (const s of D.sliders) {
    set(s, asked.has(s.key) && asked.get(s.key) ? Number(asked.get(s.key)) : s.base);
    $(`whatif-${s.key}-number`).value = at[s.key];
  }
  return true;
};
for (const s of D.sliders) {
  const range = $(`whatif-${s.key}`), number = $(`whatif-${s.key}-number`);
  set(s, s.base); number.value = s.base;
  range.addEventListener("input", () => { set(s, Number(range.value)); number.value = at[s.key]; draw(); });
  range.addEventListener("change", save);
  number.addEventListener("input", () => { if (number.value !== "" && number.checkValidity()) { set(s, Number(number.value)); draw(); } });
  number.addEventListener("change", () => { set(s, number.value === "" ? NaN : Number(number.value)); number.value = at[s.key]; draw(); save(); });
}
$("whatif-reset").addEventListener("click", () => {
  for (const s of D.sliders) { set(s, s.base); $(`whatif-${s.key}-number`).value = s.base; }
  draw(); save();
});
addEventListener("hashchange", () => { if (restore()) draw(); });
if (restore()) $("whatif").scrollIntoView();
draw();
})();
