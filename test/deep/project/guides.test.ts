// Deep: commands of all guides, as sweeps, studies and reports.
import { documents } from '../../helper/documents.js'
import { testConsoles } from '../../helper/shown-commands.js'

testConsoles(documents.filter((document) => document.startsWith('docs/')))
