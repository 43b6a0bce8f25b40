/** A limiter over Redis; src/build/lib.mjs bundles it as `#limits`. */
export { RateLimiterRedis } from 'rate-limiter-flexible'
