// Talking to the server. A command has a key, so sending it again is harmless.
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");
}

export class Refusal extends Error {
  constructor(status, body) {
    super(body.message || "The server refused.");
    this.status = status;
    this.body = body;
  }
}

export async function api(method, path, body, token) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  for (let attempt = 0; ; attempt++) {
    let response;
    try {
      response = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
    } catch (error) {
      if (attempt >= 5) throw new Error("The server can't be reached. Is it running?");
      await pause(300 * 2 ** attempt);
      continue;
    }
    const answer = await response.json().catch(() => ({}));
    if (response.ok) return answer;
    const again = [429, 503].includes(response.status) && attempt < 3;
    if (!again) throw new Refusal(response.status, answer);
    await pause(1000 * Number(response.headers.get("Retry-After") || 1));
  }
}

export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export function command(table, what, token) {
  return api("POST", `/api/tables/${table}/commands`, { key: newKey(), command: what }, token);
}

export function tell(text) {
  const notice = document.getElementById("notice");
  notice.textContent = text;
  notice.hidden = !text;
  clearTimeout(tell.timer);
  tell.timer = setTimeout(() => (notice.hidden = true), 6000);
}

// el("button", {class: "main", onclick: f}, "Play"): an element; texts are never read as HTML.
export function el(name, attributes = {}, ...children) {
  const svg = ["svg", "g", "rect", "circle", "ellipse", "line", "path", "text", "title"].includes(name);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key in node && !svg && key !== "list") node[key === "class" ? "className" : key] = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  if (attributes.class && !svg) node.className = attributes.class;
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}
