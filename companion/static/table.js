// The table screen alone: it is turned for the other side, a gong calls, and a voice reads what is to be done.
const switches = document.getElementById("switches");
const keep = { get: name => { try { return localStorage.getItem(name); } catch { return null; } },
  set: (name, value) => { try { localStorage.setItem(name, value); } catch { /* then it holds for this page */ } } };
const state = { gong: keep.get("gong") ?? "on", voice: keep.get("voice") ?? "off", turned: keep.get("turned") ?? "off" };
const is = name => state[name] === "on";
const button = name => switches.querySelector(`[data-switch=${name}]`);

function show() {
  for (const name in state) button(name).setAttribute("aria-pressed", is(name));
  root.classList.toggle("turned", is("turned"));
}
on(switches, "click", event => {
  const name = event.target.closest("[data-switch]")?.dataset.switch;
  if (!name) return;
  state[name] = is(name) ? "off" : "on";
  keep.set(name, state[name]);
  show();
  if (name === "gong") { if (is("gong")) gong(); }
  if (name === "voice") { if (is("voice")) speak(button("voice").textContent); else window.speechSynthesis.cancel(); }
});

// A gong: partials that are no whole multiples, each dying away in its own time. No sound comes from a file.
let audio;
function gong() {
  const Audio = window.AudioContext ?? window.webkitAudioContext;
  if (!Audio) return;
  audio ??= new Audio();
  audio.resume?.();
  for (const [pitch, loud, seconds] of [[98, .5, 3], [147, .3, 2.4], [233, .22, 1.8], [311, .14, 1.2], [470, .08, .7]]) {
    const tone = audio.createOscillator(), volume = audio.createGain(), now = audio.currentTime;
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(loud, now);
    volume.gain.exponentialRampToValueAtTime(.001, now + seconds);
    tone.connect(volume).connect(audio.destination);
    tone.start(now);
    tone.stop(now + seconds);
  }
}

// The voice of the page's language; without one there is no switch either.
const speech = window.speechSynthesis, BREATH = 900;
const tongue = { "zh-Hans": "zh-CN", "zh-Hant": "zh-TW" }[root.lang] ?? root.lang;
function voice() {
  const all = (speech?.getVoices() ?? []).map(one => [one.lang.replace("_", "-"), one]);
  return (all.find(([of]) => of.startsWith(tongue)) ?? all.find(([of]) => of.startsWith(tongue.slice(0, 2))))?.[1];
}
function speak(text) {
  const chosen = voice();
  if (!chosen) return;
  const words = new SpeechSynthesisUtterance(text);
  words.voice = chosen;
  words.lang = chosen.lang;
  speech.speak(words);
}
function offer() {
  button("gong").hidden = !(window.AudioContext ?? window.webkitAudioContext);
  button("voice").hidden = !voice();
  button("turned").hidden = false;
}

// What is read was not there a moment ago. Of a person, first the number, then the name. Standing effects are not read.
const READ = ".draft p, .now h2, .now .steps, #question h2, #question .big, .pause h2, .pause > p, #look, #verdict h1";
function words(part) {
  const copy = part.cloneNode(true);
  copy.querySelectorAll(".name + .no").forEach(no => {
    no.previousSibling.before(switches.dataset.number.replace("#", no.textContent));
    no.remove();
  });
  copy.querySelectorAll("svg, small, .camp, .clause").forEach(mute => mute.remove());
  const lines = copy.matches("ol") ? [...copy.children] : [copy];
  return lines.map(line => line.textContent.replace(/\s+/g, " ").trim()).join(switches.dataset.pause);
}
function told() {
  return new Map([...live.querySelectorAll(READ)].map(part => [part.closest("[id]").id + words(part), words(part)]));
}
let before = told(), waiting;
function tell() {
  const now = told(), fresh = [...now].filter(([key]) => !before.has(key)).map(([, text]) => text);
  before = now;
  if (!fresh.length) return;
  clearTimeout(waiting);
  speech?.cancel();
  if (is("gong")) gong();
  if (is("voice")) waiting = setTimeout(speak, is("gong") ? BREATH : 0, fresh.join(switches.dataset.pause));
}
// A card for which the middle is too small is set smaller: nobody scrolls from three metres.
function fitCards() {
  for (const card of live.querySelectorAll(".middle > .card")) {
    card.style.removeProperty("--part");
    for (let part = .95; part > .62 && card.scrollHeight > card.clientHeight; part -= .05) card.style.setProperty("--part", part);
  }
}
new MutationObserver(tell).observe(live, { childList: true, subtree: true, characterData: true });
speech?.addEventListener?.("voiceschanged", offer);
// Browsers let a page sound only after a tap on it.
on(document, "pointerdown", () => { if (is("gong")) audio?.resume?.(); });
on(window, "resize", fitCards);
on(document, "htmx:after:swap htmx:after:settle", fitCards);
offer();
show();
fitCards();
