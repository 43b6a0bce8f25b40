/** A limiter over Redis; src/build/lib.mjs bundles what that takes of both packages as `#limits`. */
export { Redis } from 'ioredis'
export { RateLimiterRedis } from 'rate-limiter-flexible'
