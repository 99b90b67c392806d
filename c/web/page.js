// SPDX-License-Identifier: BSD-3-Clause
//
// Has a worker run the command on the chosen traces, and shows what it writes.
'use strict'

const $ = id => document.getElementById(id)

// A module has 4 GB of memory at most, for the trace and what is found in it.
const MOST = 2e9

// What is in the first bytes of a trace is shown first, if it is TIMES as large: in so
// many, or, if a generation does not end there, in more.
const FIRST = [4e6, 16e6], TIMES = 4

const words = {
  diagreedy: 'slices', stw: 'pauses', wait: 'waits', delay: 'delays', block: 'blocks', goroutines: 'goroutines',
  requests: 'requests',
}
const reports = Object.keys(words)
// The filters that reports do not go with.
const refused = {block: /^-p=/, goroutines: /^-(?!g=|partial)/, requests: /^-(?!partial)/}
const profiles = ['greedy', 'stw', 'wait', 'delay', 'block', 'unblock', 'assist', 'path']

// What can be saved: how it is called, the end of the file's name, and the flags.
const formats = [
  ['HTML page', '.html', rows => [`-html=-`, `-rows=${rows}`]],
  ['text: all reports', '.txt', rows => all(rows)],
  ['JSON: all reports', '.json', rows => [...all(rows), '-format=json']],
  ['JSON: summary', '.summary.json', () => ['-format=json']],
  ...reports.map(name => [`CSV: ${words[name]}`, `.${words[name]}.csv`, rows => [`-${name}=${rows}`, '-format=csv']]),
  ...profiles.map(name => [`profile for pprof: ${name}`, `.${name}.pprof`, () => [`-pprof=${name}`]]),
  ['collections, as GODEBUG=gctrace=1', '.gctrace.txt', () => ['-gctrace']],
  ['timeline for Perfetto', '.timeline.json', () => ['-timeline']],
]
const formatsOfTwo = [
  ['HTML page', '.comparison.html', () => ['-html=-']],
  ['text', '.comparison.txt', () => []],
  ['JSON', '.comparison.json', () => ['-format=json']],
]

let traces = [] // those that were chosen: {name, blob}
let shown = null // that which is shown; null: the comparison
let partial = false
let job = null // {worker, reject}
let asked = 0 // how often a report was
let isFirst = false // the report is that of the first bytes, until all is read
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

// command runs the command with args on traces. A worker of its own does so, which
// has no memory left when it is done, and can be ended at any time. What it is doing
// is told as about.
async function command(args, traces, about = traces.map(name).join(', ')) {
  cancel()
  const worker = new Worker(workerAddress)
  const files = traces.map(trace => [path(trace), trace.blob])
  const say = (text, percent) => progress(`${about}: ${text}`, percent)
  try {
    return await new Promise((resolve, reject) => {
      job = {worker, reject}
      say('reading', 0)
      worker.onerror = event => reject(new Error(event.message))
      worker.onmessage = ({data}) => {
        if (data.status !== undefined) resolve(data)
        else if (data.percent !== undefined) say(`${data.percent} % analysed`, 10 + data.percent * 0.9)
        else say(`${megabytes(data.read)} of ${megabytes(data.whole)} read`, (10 * data.read) / data.whole)
      }
      module.then(module => worker.postMessage({module, args, files, most: MOST}), reject)
    })
  } finally {
    worker.terminate()
    if (job && job.worker === worker) ended('done')
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
  $('state').classList.remove('done')
}

// ended removes the progress of a job, and has screen readers say how it ended.
function ended(text) {
  job = null
  said = {}
  $('work').hidden = true
  $('state').textContent = text
  $('state').classList.add('done')
}

// Cancelled is why a job that the user has ended has no result.
class Cancelled extends Error {}

function cancel() {
  if (job) {
    job.reject(new Cancelled())
    if (isFirst) hide('report')
  }
  ended('')
}

// ------------------------------------------------------------------ report --

const name = trace => trace.name

// path returns how the command is told a file: what is called - is not its input.
const path = ({name}) => (name === '-' ? './-' : name)

// current returns the traces of what is shown.
const current = () => (shown ? [shown] : traces)

// pass runs the command on what is shown.
function pass(flags, about) {
  const compare = shown ? [] : ['-compare']
  return command([...filters(), ...compare, ...flags, '--', ...current().map(path)], current(), about)
}

// instead says how the command reads what is too large for the page.
function instead() {
  const names = current().map(trace => `'${path(trace).replaceAll("'", "'\\''")}'`)
  return `The command reads it:\n\n\tgtrace ${shown ? '-html=report.html' : '-compare'} ${names.join(' ')}`
}

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

// all returns the flags of all reports that go with the filters.
const all = rows =>
  reports.filter(name => !filters().some(flag => refused[name]?.test(flag))).map(name => `-${name}=${rows}`)

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
  const advice = /memory/.test(errors) ? '\n' + instead() : ''
  if (errors !== '') fail(errors.trim() + advice, status !== 0 && /-partial/.test(errors))
  return status !== 0
}

// show makes the report of trace; null: the comparison.
async function show(trace) {
  shown = trace
  begin()
  const flags = trace ? ['-html=-', `-rows=${rows()}`] : ['-html=-']
  asked++
  const about = trace ? await showFirst(trace, flags, asked) : undefined
  const result = await pass(flags, about)
  if (tell(result)) {
    if (isFirst) hide('report')
    return
  }
  offer()
  place(await result.output.text(), false)
}

// place shows a report in a frame of its own: the history of one would keep all its
// reports. First says whether it is that of the first bytes.
function place(report, first) {
  isFirst = first
  const frame = $('report').cloneNode()
  frame.srcdoc = report
  frame.hidden = false
  $('report').replaceWith(frame)
}

// showFirst makes the report of the complete generations in the first bytes of trace,
// if it is large and has generations, as from Go 1.22 on. Returns what is to be said
// while the whole is read; undefined: nothing else.
async function showFirst(trace, flags, number) {
  if (trace.blob.size <= FIRST[0] * TIMES || filters().length !== 0) return undefined
  // awaited returns what comes, unless another report is asked for meanwhile.
  const awaited = async promise => {
    const value = await promise
    if (number !== asked) throw new Cancelled()
    return value
  }
  const version = /^go 1\.(\d+) trace/.exec(await awaited(trace.blob.slice(0, 16).text()))
  if (!version || version[1] < 22) return undefined
  for (const size of FIRST.filter(size => trace.blob.size > size * TIMES)) {
    const first = {name: trace.name, blob: trace.blob.slice(0, size)}
    const result = await awaited(command(['-partial', ...flags, '--', path(first)], [first]))
    if (result.status !== 0) continue
    // At once, as the job is not over yet.
    const about = `${trace.name}, of which the report has the first ${megabytes(size)}`
    progress(`${about}: reading`, 0)
    place(await awaited(result.output.text()), true)
    return about
  }
  return undefined
}

// begin removes what was shown before.
function begin() {
  isFirst = false
  hide('failure', 'report')
  const focused = $('traces').contains(document.activeElement)
  $('traces').hidden = traces.length < 2
  $('traces').replaceChildren(
    ...traces.map(trace => tab(trace.name, trace === shown, () => show(trace))),
    ...(traces.length === 2 ? [tab('comparison', shown === null, () => show(null))] : []),
  )
  if (focused) $('traces').querySelector('[aria-current=true]').focus()
}

// offer shows the filters, and what can be saved.
function offer() {
  const kinds = shown ? formats : formatsOfTwo
  document.body.classList.add('loaded')
  document.body.classList.toggle('compared', !shown)
  $('filters').hidden = false
  if ($('format').length !== kinds.length) $('format').replaceChildren(...kinds.map(([text], i) => new Option(text, i)))
}

function tab(text, current, press) {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = text
  button.setAttribute('aria-current', current)
  button.onclick = () => attempt(press)
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

const again = () => attempt(() => show(shown))

// named returns traces with a name for each, as files of two folders may have one.
function named(files) {
  const names = [...files].map(file => file.name)
  return [...files].map((blob, i) => {
    const before = names.slice(0, i).filter(name => name === blob.name).length
    return {name: before ? `${blob.name} (${before + 1})` : blob.name, blob}
  })
}

function choose(files) {
  if (files.length === 0) return
  asked++
  cancel()
  hide('report', 'filters', 'traces')
  // Times and goroutines of one trace do not go with another one.
  $('filters').reset()
  traces = named(files)
  partial = false
  shown = traces.find(trace => trace.blob.size > MOST)
  if (shown) {
    fail(`${shown.name} has ${megabytes(shown.blob.size)}, and this page reads up to ${megabytes(MOST)}. ${instead()}`)
    return
  }
  attempt(() => show(traces.length === 2 ? null : traces[0]))
}

// -------------------------------------------------------------------- save --

// download has the browser save a Blob as a file.
function download(blob, name) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60000)
}

async function save() {
  const [, end, flags] = (shown ? formats : formatsOfTwo)[$('format').value]
  const start = current().map(name).join('-')
  hide('failure')
  const result = await pass(flags(rows()))
  if (tell(result)) return
  download(result.output, start + end)
  // It has ended the job that was to show something.
  if ($('report').hidden) again()
}

// edit saves a new trace: of the parts in the times that are chosen, and with
// anonymise with other names. It says what the trace has.
async function edit(anonymise) {
  const {from, to} = $('filters').elements, times = [from.value.trim(), to.value.trim()]
  const flags = partial ? ['-partial'] : [], isPart = times.join('') !== ''
  hide('failure')
  if (!anonymise && !isPart) return fail('Choose a time first: “From”, “to”, or both.')
  if (isPart) flags.push(`-cut=${times.join(',')}`)
  if (anonymise) flags.push('-anonymise')
  const made = shown.name.replace(/(\.trace)?(\.gz)?$/, (isPart ? '.part' : '') + (anonymise ? '.anonymous' : '') + '.trace')
  const result = await command([...flags, '-o=-', '--', path(shown)], [shown])
  if (result.status !== 0) return tell(result)
  download(result.output, made)
  if ($('report').hidden) await show(shown)
  $('state').textContent = made + result.errors.trim().replace(/^-/, '').replace('\n', '; ')
  $('state').classList.remove('done')
}

// ------------------------------------------------------------------ events --

// So that a file can be chosen again when it has changed.
$('file').onclick = () => {
  $('file').value = ''
}
$('file').onchange = () => choose($('file').files)
$('cancel').onclick = () => {
  asked++
  cancel()
  offer()
  $('state').textContent = 'Cancelled. “Apply” begins again.'
  $('state').classList.remove('done')
  $('filters').querySelector('[type=submit]').focus()
}
$('save').onclick = () => attempt(save)
$('cut').onclick = () => attempt(() => edit(false))
$('anonymise').onclick = () => attempt(() => edit(true))
$('partial').onclick = () => {
  partial = true
  again()
}
$('filters').onsubmit = event => {
  event.preventDefault()
  again()
}
// The form is reset after that.
$('filters').querySelector('[type=reset]').onclick = () => setTimeout(again)
ondragover = event => {
  event.preventDefault()
  $('choose').classList.add('over')
}
ondragleave = () => $('choose').classList.remove('over')
ondrop = event => {
  event.preventDefault()
  $('choose').classList.remove('over')
  $('file').value = ''
  choose(event.dataTransfer.files)
}
// The report sends the times that are chosen in its overview, and files dropped on it.
onmessage = ({source, data}) => {
  if (source !== $('report').contentWindow || !data) return
  if (data.files) choose(data.files)
  if (!data.range) return
  const [from, to] = data.range
  $('filters').elements.from.value = `${from}ns`
  $('filters').elements.to.value = `${to}ns`
  again()
}
