// <cote-list>: any number of rows; only visible ones are elements. Rows are links of equal height.

import { h } from "./dom.js";

const ROW_HEIGHT = 68;
const MARGIN = 4;

export class CoteList extends HTMLElement {
  render = () => h("a");
  #rows = [];
  #drawn = new Map();
  #selected;
  #frame;
  #list = h("ul", { role: "list" });

  connectedCallback() {
    if (this.firstChild) return;
    this.#list.setAttribute("aria-label", this.getAttribute("label"));
    this.append(this.#list);
    this.addEventListener("scroll", () => this.#draw(), { passive: true });
    new ResizeObserver(() => this.#draw()).observe(this);
  }

  /** Keeps the scroll position: rows above it are added out of view. */
  set(rows) {
    const first = this.#rows[Math.floor(this.scrollTop / ROW_HEIGHT)], offset = this.scrollTop % ROW_HEIGHT;
    this.#rows = rows;
    this.#list.style.height = `${rows.length * ROW_HEIGHT}px`;
    if (first && this.scrollTop > 0) {
      const index = rows.findIndex((row) => row.id === first.id);
      if (index >= 0) this.scrollTop = index * ROW_HEIGHT + offset;
    }
    // Once per frame, however many messages arrive in it.
    this.#frame ??= requestAnimationFrame(() => this.#draw());
  }

  select(id, { reveal = false } = {}) {
    this.#selected = id;
    const index = this.#rows.findIndex((row) => row.id === id), top = index * ROW_HEIGHT;
    const isInSight = top >= this.scrollTop && top + ROW_HEIGHT <= this.scrollTop + this.clientHeight;
    if (reveal && index >= 0 && !isInSight) this.scrollTop = top - this.clientHeight / 3;
    this.#draw();
    if (this.contains(document.activeElement)) this.#drawn.get(id)?.element.firstChild.focus({ preventScroll: true });
  }

  focusRow(id) {
    this.select(id, { reveal: true });
    this.#drawn.get(id)?.element.firstChild.focus({ preventScroll: true });
  }

  get reach() { return Math.ceil((this.scrollTop + this.clientHeight) / ROW_HEIGHT); }

  neighbour(step) {
    const index = this.#rows.findIndex((row) => row.id === this.#selected);
    return this.#rows[Math.min(Math.max(index < 0 ? 0 : index + step, 0), this.#rows.length - 1)];
  }

  #draw() {
    cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    const from = Math.max(0, Math.floor(this.scrollTop / ROW_HEIGHT) - MARGIN);
    const to = Math.ceil((this.scrollTop + this.clientHeight) / ROW_HEIGHT) + MARGIN;
    const inSight = this.#rows.slice(from, to).map((row, index) => [row.id, from + index]);
    // Keep the focused row, even out of view, or the focus would be lost.
    const focused = this.#focused(), isAbove = focused[0]?.[1] < from;
    const wanted = new Map(isAbove ? [...focused, ...inSight] : [...inSight, ...focused]);
    for (const [id, { element }] of this.#drawn) {
      if (wanted.has(id)) continue;
      element.remove();
      this.#drawn.delete(id);
    }
    // Elements are in the order of the rows, for screen readers.
    // One tab stop for the whole list; the keys j, k and the arrows move within it.
    const stop = [focused[0]?.[0], this.#selected, inSight[0]?.[0]].find((id) => wanted.has(id));
    let place = this.#list.firstChild;
    for (const [id, index] of wanted) {
      const element = this.#element(id, this.#rows[index]);
      if (element === place) place = place.nextSibling;
      else this.#list.insertBefore(element, place);
      this.#place(element, id, index);
      element.firstChild.tabIndex = id === stop ? 0 : -1;
    }
  }

  #focused() {
    const [id] = [...this.#drawn].find(([, { element }]) => element.contains(document.activeElement)) ?? [];
    const index = id === undefined ? -1 : this.#rows.findIndex((row) => row.id === id);
    return index < 0 ? [] : [[id, index]];
  }

  #element(id, row) {
    const old = this.#drawn.get(id);
    if (old?.row === row) return old.element;
    const element = old?.element ?? h("li"), hadFocus = element.contains(document.activeElement);
    element.replaceChildren(this.render(row));
    if (hadFocus) element.firstChild.focus({ preventScroll: true });
    this.#drawn.set(id, { row, element });
    return element;
  }

  #place(element, id, index) {
    element.style.transform = `translateY(${index * ROW_HEIGHT}px)`;
    [element.ariaPosInSet, element.ariaSetSize] = [index + 1, this.#rows.length];
    element.firstChild.ariaCurrent = id === this.#selected ? "true" : null;
  }
}

customElements.define("cote-list", CoteList);
