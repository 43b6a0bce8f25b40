import type { Chinese } from '../sentence.js'

/** Errors and notes of src/cli, in Chinese by their templates. */
// biome-ignore format: a table, one sentence a line
export const cliPhrases: Chinese = {
  '{1} already holds an archive; give a new or empty directory': '{1} 中已有归档；请给出新目录或空目录',

  "run 'npm install' in a folder that 'quotebook notebook init' made, and work from there": "请在 'quotebook notebook init' 建立的目录中运行 'npm install'，并在该目录中操作",
  '{1}: tslab, which runs notebooks, is not installed: {2}': '{1}：没有安装运行笔记本的 tslab：{2}',
  'not a notebook: not JSON': '不是笔记本：不是 JSON',
  'no such file': '没有这个文件',
  'not a notebook of format 4': '不是格式 4 的笔记本',
  '{1} is not a folder': '{1} 不是目录',
  '{1} is not empty: it has {2}; give a new or empty folder': '{1} 不是空目录：其中有 {2}；请给出新目录或空目录',
  'npm can not pack quotebook: {1}': 'npm 无法打包 quotebook：{1}',
  'exit code {1}': '退出码 {1}',
  'no Chinese text of cell {1}': '单元 {1} 没有中文文本',
  'in tslab an await in parentheses can not be the first of a cell: give it a statement of its own': 'tslab 中单元不能以括号内的 await 开头：请让它单独成为一条语句',
  'the cell ended the process (exit code {1})': '该单元结束了进程（退出码 {1}）',
  'the cell is tagged raises-exception and raised none': '该单元标记为 raises-exception，却没有出错',
}
