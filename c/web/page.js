// SPDX-License-Identifier: BSD-3-Clause
//
// Has a worker run the command on the chosen traces, and shows what it writes.
'use strict'

const $ = id => document.getElementById(id)

// A module has 4 GB of memory at most, for the trace and what is found in it.
const MOST = 2e9

const words = {
  diagreedy: 'slices', stw: 'stops', wait: 'waits', delay: 'delays', block: 'blocks', goroutines: 'goroutines',
  requests: 'requests',
}
const reports = Object.keys(words)
const profiles = ['greedy', 'stw', 'wait', 'delay', 'block', 'unblock', 'assist']

// What can be saved: how it is called, the end of the file's name, and the flags.
const formats = [
  ['HTML page', '.html', rows => [`-html=-`, `-rows=${rows}`]],
  ['text: all reports', '.txt', rows => reports.map(name => `-${name}=${rows}`)],
  ['JSON: all reports', '.json', rows => [...reports.map(name => `-${name}=${rows}`), '-format=json']],
  ['JSON: summary', '.summary.json', () => ['-format=json']],
  ...reports.map(name => [`CSV: ${words[name]}`, `.${words[name]}.csv`, rows => [`-${name}=${rows}`, '-format=csv']]),
  ...profiles.map(name => [`profile for pprof: ${name}`, `.${name}.pprof`, () => [`-pprof=${name}`]]),
  ['collections, as GODEBUG=gctrace=1', '.gctrace.txt', () => ['-gctrace']],
  ['timeline for Perfetto', '.timeline.json', () => ['-timeline']],
]

let traces = [] // those that were chosen
let shown = null // that which is shown; null: the comparison
let partial = false
let job = null // {worker, reject}
let said = {} // of its progress: {what, at}

// -------------------------------------------------------------------- jobs --

// unpacked returns the module, which is in the page as base64 of gzip.
async function unpacked() {
  const packed = Uint8Array.from(atob($('module').textContent.trim()), c => c.charCodeAt(0))
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  return WebAssembly.compile(await new Response(stream).arrayBuffer())
}

const module = unpacked()
const workerAddress = URL.createObjectURL(new Blob([$('worker').textContent], {type: 'text/javascript'}))

// command runs the command with args on files, [name, Blob]. A worker of its own
// does so, which has no memory left when it is done, and can be ended at any time.
async function command(args, files) {
  cancel()
  const worker = new Worker(workerAddress)
  const whole = files.reduce((sum, [, blob]) => sum + blob.size, 0)
  try {
    return await new Promise((resolve, reject) => {
      job = {worker, reject}
      progress('reading', 0)
      worker.onerror = event => reject(new Error(event.message))
      worker.onmessage = ({data}) => {
        if (data.status !== undefined) resolve(data)
        else if (data.percent !== undefined) progress(`${data.percent} % analysed`, 10 + data.percent * 0.9)
        else progress(`${megabytes(data.read)} of ${megabytes(whole)} read`, 10 * Math.min(1, data.read / whole))
      }
      module.then(module => worker.postMessage({module, args, files}), reject)
    })
  } finally {
    worker.terminate()
    if (job && job.worker === worker) job = null
    $('work').hidden = true
  }
}

const megabytes = bytes => `${(bytes / 1e6).toFixed(1)} MB`

// progress shows how far a job is. Screen readers say the text, so it changes once a
// second, and when something else is done.
function progress(text, percent) {
  $('work').hidden = false
  $('progress').value = percent
  const now = performance.now(), what = text.replace(/[\d.]+/g, '')
  if (what === said.what && now < said.at + 1000) return
  said = {what, at: now}
  $('state').textContent = text
}

// Cancelled is why a job that the user has ended has no result.
class Cancelled extends Error {}

function cancel() {
  if (job) job.reject(new Cancelled())
}

// ------------------------------------------------------------------ report --

const name = trace => trace.name

const fileOf = trace => [name(trace), trace]

// filters returns the flags that the form asks for.
function filters() {
  const flags = partial ? ['-partial'] : []
  for (const field of ['from', 'to', 'func', 'p', 'g']) {
    const value = $('filters').elements[field].value.trim()
    if (value !== '') flags.push(`-${field}=${value}`)
  }
  if ($('filters').elements.user.checked) flags.push('-user')
  return flags
}

const rows = () => $('filters').elements.rows.value || '10'

function fail(message, mayBePartial) {
  $('message').textContent = message
  $('partial').hidden = !mayBePartial || partial
  $('failure').hidden = false
}

function hide(...ids) {
  for (const id of ids) $(id).hidden = true
}

// tell says on the page what a job wrote to stderr. Returns whether it failed.
function tell({status, errors}) {
  if (errors !== '') fail(errors.trim(), status !== 0 && /-partial/.test(errors))
  return status !== 0
}

async function showTrace(trace) {
  shown = trace
  begin()
  const result = await command([...filters(), '-html=-', `-rows=${rows()}`, name(trace)], [fileOf(trace)])
  if (tell(result)) return
  // A frame of its own: the history of one would keep all its reports.
  const frame = $('report').cloneNode()
  frame.srcdoc = await result.output.text()
  frame.hidden = false
  $('report').replaceWith(frame)
}

async function showComparison() {
  shown = null
  begin()
  const result = await command([...filters(), '-compare', ...traces.map(name)], traces.map(fileOf))
  if (tell(result)) return
  $('text').textContent = await result.output.text()
  $('text').hidden = false
}

// begin removes what was shown before.
function begin() {
  hide('failure', 'report', 'text')
  document.body.classList.add('loaded')
  $('filters').hidden = false
  $('traces').hidden = traces.length < 2
  $('traces').replaceChildren(
    ...traces.map(trace => tab(trace.name, trace === shown, () => showTrace(trace))),
    ...(traces.length === 2 ? [tab('comparison', shown === null, showComparison)] : []),
  )
}

function tab(text, current, show) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.setAttribute('aria-current', current)
  button.onclick = () => attempt(show)
  return button
}

// attempt calls what may fail, and shows why.
async function attempt(what) {
  try {
    await what()
  } catch (error) {
    if (!(error instanceof Cancelled)) fail(`gtrace: ${error.message || error}`)
  }
}

const again = () => attempt(() => (shown ? showTrace(shown) : showComparison()))

function choose(files) {
  if (files.length === 0) return
  const large = [...files].find(trace => trace.size > MOST)
  if (large) {
    cancel()
    hide('report', 'text', 'partial')
    fail(
      `${large.name} has ${megabytes(large.size)}, and this page reads up to ${megabytes(MOST)}. ` +
        `The command reads it:\n\n\tgtrace -html=report.html ${large.name}`,
    )
    return
  }
  traces = [...files]
  partial = false
  attempt(() => (traces.length === 2 ? showComparison() : showTrace(traces[0])))
}

// -------------------------------------------------------------------- save --

async function save() {
  const [, end, flags] = formats[$('format').value]
  const trace = shown || traces[0]
  const result = await command([...filters(), ...flags(rows()), name(trace)], [fileOf(trace)])
  if (tell(result)) return
  const link = document.createElement('a')
  link.href = URL.createObjectURL(result.output)
  link.download = trace.name + end
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60000)
}

// ------------------------------------------------------------------ events --

$('format').append(...formats.map(([text], i) => new Option(text, i)))
$('file').onchange = () => choose($('file').files)
$('cancel').onclick = cancel
$('save').onclick = () => attempt(save)
$('partial').onclick = () => {
  partial = true
  again()
}
$('filters').onsubmit = event => {
  event.preventDefault()
  again()
}
$('filters').onreset = () => setTimeout(again)
ondragover = event => {
  event.preventDefault()
  $('choose').classList.add('over')
}
ondragleave = () => $('choose').classList.remove('over')
ondrop = event => {
  event.preventDefault()
  $('choose').classList.remove('over')
  choose(event.dataTransfer.files)
}
// The report sends the times that are chosen in its overview.
onmessage = ({source, data}) => {
  if (source !== $('report').contentWindow || !data || !data.range) return
  const [from, to] = data.range
  $('filters').elements.from.value = `${from}ns`
  $('filters').elements.to.value = `${to}ns`
  again()
}
