/** The client of Redis; src/build/lib.mjs bundles it as `#redis`, for limits and for queues. */
export { Redis } from 'ioredis'
