/** The readings of characters; src/build/lib.mjs bundles it as `#pinyin`. */
export { pinyin } from 'pinyin-pro'
