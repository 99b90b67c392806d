// A page that has this one as the text of a frame, as gtrace.html does, gets the files
// that are dropped on it. One that shows it by its address can be anybody's.
const framed = parent !== window && location.protocol === "about:";
if (framed) {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    parent.postMessage({files: [...event.dataTransfer.files]}, "*");
  });
}
