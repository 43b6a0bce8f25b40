import { join } from 'node:path'
import root from '#root'
import type { Language } from '../../contract/language.js'

/** A kernel as Jupyter knows it. */
export interface KernelSpec {
  readonly argv: readonly string[]
  readonly display_name: string
  readonly language: string
  readonly interrupt_mode: string
  readonly env: Readonly<Record<string, string>>
}

/**
 * The kernel for notebooks in any folder.
 * @param node program of Node, by its path: an editor may have another PATH than a shell
 * @param language of what tables and charts say of themselves
 * @param folder whose tslab runs a notebook that has none of its own
 */
export function kernelSpec(node: string, folder: string, language: Language): KernelSpec {
  return {
    argv: [node, join(root, 'dist/lib/notebook-kernel.cjs'), '{connection_file}', folder],
    display_name: 'TypeScript (Quotebook)',
    language: 'typescript',
    interrupt_mode: 'message',
    env: { TZ: 'UTC', LC_ALL: 'C.UTF-8', QUOTEBOOK_LANG: language },
  }
}

type Env = Readonly<Record<string, string | undefined>>

/** Where Jupyter and the editors look for what a user has installed: jupyter_core's `jupyter_data_dir`. */
function userDataFolder(env: Env, platform: string, home: string): string {
  if (env['JUPYTER_DATA_DIR']) return env['JUPYTER_DATA_DIR']
  if (platform === 'darwin') return join(home, 'Library', 'Jupyter')
  if (platform === 'win32') return join(env['APPDATA'] || join(home, 'AppData', 'Roaming'), 'jupyter')
  return join(env['XDG_DATA_HOME'] || join(home, '.local', 'share'), 'jupyter')
}

/** File of a user's kernel of this name. */
export function kernelSpecFile(env: Env, platform: string, home: string): string {
  return join(userDataFolder(env, platform, home), 'kernels', 'quotebook', 'kernel.json')
}
