// Liveness (look, stream, poll), the card that is held open, and nothing secret left behind on leaving.
const root = document.documentElement, live = document.getElementById("live"), away = document.getElementById("away");
const on = (target, types, run) => types.split(" ").forEach(type => target.addEventListener(type, run));
let source, timer, etag = live.dataset.etag, refused = -Infinity;

function look() { if (!document.hidden) live.dispatchEvent(new Event("look")); }
function poll(seconds) { clearInterval(timer); timer = setInterval(look, seconds * 1000); }
function listen() {
  source?.close();
  source = new EventSource(live.dataset.stream);
  source.onopen = () => { poll(15); look(); };
  source.onmessage = look;
  source.onerror = () => { poll(1); if (source.readyState === EventSource.CLOSED) setTimeout(listen, 5000); };
}
function reached(yes, request) {
  if (!yes && request?.method === "POST") document.getElementById("unsent").hidden = false;
  if (yes !== root.classList.contains("lost")) return;
  root.classList.toggle("lost", !yes);
  away.textContent = yes ? "" : away.dataset.text;
  if (yes) listen(); else poll(1);
}

if (live.dataset.stream) {
  poll(1);
  listen();
  on(document, "visibilitychange", () => { if (!document.hidden) { listen(); look(); } });
  on(document, "htmx:config:request", event => {
    const { request } = event.detail.ctx;
    if (request.method === "GET" && etag) request.headers["If-None-Match"] = etag;
    if (request.method === "POST") {
      document.getElementById("notice").replaceChildren();
      document.getElementById("unsent").hidden = true;
    }
  });
  on(document, "htmx:after:request", event => {
    const { request, response: { status, headers } } = event.detail.ctx;
    if (status === 401 || status === 404) location.reload();
    const answered = status < 500 || status === 507;
    // Why one's own tap was refused stays for a while, though the page goes on.
    if (request.method === "POST") refused = status === 409 || status === 422 ? event.timeStamp : -Infinity;
    const isRead = event.timeStamp - refused > 8000;
    if (request.method === "GET" && answered && status !== 304 && isRead) document.getElementById("notice").replaceChildren();
    reached(answered, request);
    if (answered && status !== 304) etag = headers.get("ETag");
  });
  // What was about to be tapped has moved: for a moment no tap counts.
  const place = () => live.querySelector(".people-now")?.offsetTop;
  let placed = place();
  // Another scene (cards were dealt, the game is over) is looked at from its top.
  const scene = () => live.querySelector("h1")?.textContent;
  let seen = scene();
  on(document, "htmx:after:swap", () => {
    if (seen !== (seen = scene())) scrollTo(0, 0);
    if (placed === (placed = place())) return;
    root.classList.add("moved");
    setTimeout(() => root.classList.remove("moved"), 400);
  });
  on(document, "htmx:after:swap htmx:after:settle", () => { if (root.classList.contains("peek")) fit(); });
  on(document, "htmx:error", event => { if (event.detail.ctx) reached(false, event.detail.ctx.request); });
  on(document, "htmx:finally:request", event => {
    const { request, response } = event.detail.ctx;
    if (request.method === "POST" && response?.status < 500) { event.target.reset?.(); coverSkills(); }
  });
}
on(document, "keydown", event => { if (event.key === "Enter" && event.target.type === "radio") event.preventDefault(); });
on(document, "click", event => {
  if (event.target.closest("[data-close]")) { event.preventDefault(); document.getElementById("notice").replaceChildren(); }
});

// The card: open while held by finger, mouse, Space or Enter; a screen reader's click opens it for a while.
let cover;
// A long card is set smaller, as nobody can scroll with the thumb on it.
function fit() {
  const face = document.getElementById("face");
  if (!face) return;
  face.style.fontSize = "";
  const size = parseFloat(getComputedStyle(face).fontSize);
  for (let part = 1; part > .69 && face.scrollHeight > face.clientHeight; part -= .025) face.style.fontSize = `${size * part}px`;
}
function peek(open, seconds = 0) {
  clearTimeout(cover);
  if (open) fit();
  root.classList.toggle("peek", open);
  document.getElementById("hold")?.setAttribute("aria-pressed", open);
  if (seconds) cover = setTimeout(peek, seconds * 1000, false);
}
// The skills stay open for a while: they are chosen with the same hand.
let closing;
function coverSkills() { clearTimeout(closing); document.getElementById("acts")?.removeAttribute("open"); }
on(window, "blur pagehide", coverSkills);
on(document, "visibilitychange", coverSkills);
document.addEventListener("toggle", event => {
  if (event.target.id === "acts" && event.target.open) { clearTimeout(closing); closing = setTimeout(coverSkills, 30000); }
}, true);
const onHold = event => event.target.closest?.("#hold");
root.classList.add("js");
on(document, "pointerdown", event => { if (onHold(event) && event.isPrimary && !event.button) peek(true); });
on(window, "pointerup pointercancel blur scroll pagehide", () => peek(false));
on(document, "visibilitychange", () => peek(false));
on(document, "keydown", event => {
  if (onHold(event) && (event.key === " " || event.key === "Enter")) { event.preventDefault(); if (!event.repeat) peek(true); }
});
on(document, "keyup focusout", event => { if (onHold(event)) peek(false); });
on(document, "click", event => { if (onHold(event) && !event.detail && !event.pointerType) peek(!root.classList.contains("peek"), 20); });
// Somebody else's card does not stay on a phone that is put away.
const passed = document.querySelector("[data-leave]");
const handBack = () => location.replace(passed.dataset.leave);
if (passed) {
  on(document, "visibilitychange", () => { if (document.hidden) handBack(); });
  on(passed.querySelector("a"), "click", event => { event.preventDefault(); handBack(); });
}
on(document, "contextmenu selectstart dragstart", event => { if (event.target.closest?.(".mine")) event.preventDefault(); });
on(window, "pagehide", () => { source?.close(); document.getElementById("face")?.replaceChildren(); document.getElementById("acts")?.remove(); });
on(window, "pageshow", event => { if (event.persisted) location.reload(); });
