/** Jobs on Redis; src/build/lib.mjs bundles what that takes of bullmq as `#queue`. */
export { Queue } from 'bullmq/dist/esm/classes/queue.js'
export { Worker } from 'bullmq/dist/esm/classes/worker.js'
