/* Elements built from texts, never from markup: nothing in the data can become part of the page. */
var causalrules = {};

(function (page) {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg";

  function fill(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value === true) node.setAttribute(name, "");
      else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
    }
    node.append(
      ...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== ""),
    );
    return node;
  }

  /** An element with attributes (`onclick` and the like are listeners) and children (texts or nodes). */
  page.element = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);

  /** The same for shapes. */
  page.shape = (tag, attributes, ...children) =>
    fill(document.createElementNS(SVG, tag), attributes, children);

  /** A part of the page under a heading of the given level. */
  page.section = (level, heading, className, ...children) =>
    page.element("section", { class: className }, page.element("h" + level, {}, heading), ...children);
})(causalrules);
