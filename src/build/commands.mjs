/* Writes src/cli/commands.ts, the list of the commands: whatever ends in `Command` among the exports of src/cli/command/. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const [folder, file] = ['src/cli/command', 'src/cli/commands.ts']
const found = readdirSync(folder)
  .sort()
  .map((name) => ({
    from: `./command/${name.replace(/\.ts$/, '.js')}`,
    names: [...readFileSync(`${folder}/${name}`, 'utf8').matchAll(/^export (?:const|function) (\w+Command)\b/gm)].map(
      ([, one]) => one,
    ),
  }))
  .filter(({ names }) => names.length > 0)
const importOf = ({ from, names }) => {
  const line = `import { ${names.toSorted().join(', ')} } from '${from}'`
  return line.length <= 120
    ? line
    : `import {\n${names
        .toSorted()
        .map((one) => `  ${one},\n`)
        .join('')}} from '${from}'`
}
const text = `${found.map(importOf).join('\n')}

/** Every command, made by \`npm run build\` of what there is in command/; program.ts has their order. */
export const commands = [
${found
  .flatMap(({ names }) => names)
  .map((one) => `  ${one},`)
  .join('\n')}
]
`
if (readFileSync(file, 'utf8') !== text) writeFileSync(file, text)
