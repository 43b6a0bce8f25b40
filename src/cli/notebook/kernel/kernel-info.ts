import { version } from '../../../contract/version.js'

/** What the kernel answers to who asks what it is. */
export const kernelInfo = {
  status: 'ok',
  protocol_version: '5.3',
  implementation: 'quotebook',
  implementation_version: version,
  language_info: {
    name: 'typescript',
    version: '5.0.4',
    mimetype: 'text/typescript',
    file_extension: '.ts',
    // The notebook of Jupyter 6 reads `name` and `typescript`, JupyterLab `mode`.
    codemirror_mode: { mode: 'typescript', name: 'javascript', typescript: true },
  },
  banner: `Quotebook ${version}, TypeScript by tslab`,
  help_links: [],
}
