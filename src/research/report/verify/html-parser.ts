/** The parser of HTML; src/build/lib.mjs bundles what that takes of htmlparser2 as `#html-parser`. */
export { Parser } from 'htmlparser2'
