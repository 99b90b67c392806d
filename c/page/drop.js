// A page that shows the report in a frame gets the files that are dropped on it.
if (parent !== window) {
  addEventListener("dragover", (event) => event.preventDefault());
  addEventListener("drop", (event) => {
    event.preventDefault();
    parent.postMessage({files: [...event.dataTransfer.files]}, "*");
  });
}
