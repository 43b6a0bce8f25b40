// Deep: commands of guides and recipes, as sweeps, studies and reports. Those of the tutorials are in walks.test.ts.
import { documents, walks } from '../../helper/documents.js'
import { testConsoles } from '../../helper/shown-commands.js'

testConsoles(documents.filter((document) => document.startsWith('docs/') && !walks.includes(document)))
