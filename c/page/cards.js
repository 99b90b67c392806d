/* cards.js adds to the cards of findings what they lead to, and copies commands. */
const NOUNS = {slices: "slice", waits: "wait", blocks: "block", stops: "pause"};

// What the card of a finding leads to.
function leads(finding, whole) {
  const {row} = finding, to = finding.card.querySelector(".leads");
  if (row)
    to.append(": ", link(row, `${NOUNS[finding.section]} ${row.rank}`));
  if (finding.from < 0 || !whole)
    return;
  const shown = html("a", {href: "#whole"}, "in the picture");
  shown.addEventListener("click", (event) => {
    event.preventDefault();
    showFinding(finding, whole);
  });
  to.append(" · ", shown);
}

// Copies the text of an element, which is selected too, for those who may not copy.
async function copy(element) {
  getSelection().selectAllChildren(element);
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    return document.execCommand("copy");
  }
}

// A command can be copied; a line breaks between its words.
function command(code) {
  const words = code.textContent.split(" ").flatMap((word) => [html("span", {class: "word"}, word), " "]);
  code.replaceChildren(...words.slice(0, -1));
  const made = button("Copy", "copy this command", async () => {
    made.textContent = await copy(code) ? "Copied" : "Selected";
  });
  made.className = "copy";
  code.after(" ", made);
}
