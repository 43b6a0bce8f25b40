// Loaded before a program (--import): the process stops itself before its STOP_AT-th step into the file system below STOP_IN.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { STOP_AT, STOP_IN } = process.env
let steps = 0

function step(name, path) {
  if (!String(path).startsWith(STOP_IN)) return
  steps++
  if (steps !== Number(STOP_AT)) return
  fs.writeSync(1, `stopped before step ${steps}: ${name} ${path}\n`)
  process.kill(process.pid, 'SIGSTOP')
}

function watch(object, names, pathOf) {
  for (const name of names) {
    const own = object[name]
    object[name] = function (...given) {
      step(name, pathOf(this, given))
      return own.apply(this, given)
    }
  }
}

const ofPath = ['open', 'readFile', 'writeFile', 'mkdir', 'rename', 'rm', 'rmdir', 'unlink', 'stat', 'lstat', 'readdir']
watch(fs.promises, ofPath, (_, [path]) => path)
watch(fs, ['existsSync', 'statSync', 'readFileSync', 'renameSync'], (_, [path]) => path)

// What is done with an open file counts as done to it.
const { open } = fs.promises
const paths = new WeakMap()
let isWatched = false
fs.promises.open = async (path, ...how) => {
  const handle = await open(path, ...how)
  paths.set(handle, path)
  if (!isWatched) {
    isWatched = true
    watch(Object.getPrototypeOf(handle), ['writeFile', 'readFile', 'sync', 'close', 'stat'], (one) => paths.get(one))
  }
  return handle
}
syncBuiltinESMExports()
process.on('exit', () => fs.writeSync(1, `${steps} steps\n`))
