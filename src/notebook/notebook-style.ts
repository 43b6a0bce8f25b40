/** The style of a page of a notebook. */
export const notebookStyle = `:root {
  color-scheme: light dark;
  --paper: #ffffff;
  --ink: #1d2433;
  --faint: #667085;
  --line: #e3e7ee;
  --code: #f6f8fb;
  --accent: #1f5fbf;
  --bad: #b42318;
  --bad-paper: #fef3f2;
  --keyword: #8250df;
  --string: #0a6d4a;
  --number: #a14a00;
  --comment: #667085;
  --title: #1f5fbf;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #12161d;
    --ink: #e4e8f0;
    --faint: #9aa5b8;
    --line: #2a323f;
    --code: #1a202a;
    --accent: #7db2ff;
    --bad: #ff9b91;
    --bad-paper: #2b1715;
    --keyword: #c9a2ff;
    --string: #7fd6ac;
    --number: #ffb677;
    --comment: #9aa5b8;
    --title: #7db2ff;
  }
}
* {
  box-sizing: border-box;
}
body {
  margin: 0;
  background: var(--paper);
  color: var(--ink);
  font:
    16px / 1.6 system-ui,
    "Segoe UI",
    Roboto,
    "Noto Sans",
    "Noto Sans CJK SC",
    "PingFang SC",
    "Microsoft YaHei",
    sans-serif;
}
main {
  max-width: 64rem;
  margin: 0 auto;
  padding: 2.5rem 1.5rem 4rem;
}
h1 {
  font-size: 1.9rem;
  line-height: 1.25;
  margin: 0 0 0.75rem;
  letter-spacing: -0.01em;
}
h2 {
  font-size: 1.25rem;
  margin: 2.25rem 0 0.5rem;
}
a {
  color: var(--accent);
}
.words {
  max-width: 46rem;
}
.words + .words {
  margin-top: 1rem;
}
.words blockquote {
  margin: 1rem 0;
  padding: 0.1rem 1rem;
  border-left: 3px solid var(--accent);
  color: var(--faint);
}
.cell {
  position: relative;
  margin: 1.1rem 0 1.6rem;
}
.number {
  position: absolute;
  right: 100%;
  margin-right: 0.75rem;
  top: 0.62rem;
  color: var(--faint);
  font:
    0.78rem / 1.6 ui-monospace,
    monospace;
}
pre {
  margin: 0;
  font:
    0.86rem / 1.55 ui-monospace,
    "SF Mono",
    Menlo,
    Consolas,
    "Noto Sans Mono",
    "Noto Sans Mono CJK SC",
    monospace;
  overflow-x: auto;
}
.words code,
.words pre {
  background: var(--code);
  border-radius: 4px;
  padding: 0.1em 0.3em;
}
.code {
  background: var(--code);
  border: 1px solid var(--line);
  border-radius: 8px;
  padding: 0.6rem 0.85rem;
}
.outputs {
  padding: 0.6rem 0 0;
  display: grid;
  gap: 0.6rem;
  grid-template-columns: minmax(0, 1fr);
}
.outputs pre {
  padding: 0 0.85rem;
}
.display {
  overflow-x: auto;
}
.display img {
  max-width: 100%;
  height: auto;
  display: block;
  border-radius: 8px;
}
.outputs .stderr {
  color: var(--faint);
}
.outputs .failure {
  color: var(--bad);
  background: var(--bad-paper);
  border-left: 3px solid var(--bad);
  border-radius: 4px;
  padding: 0.6rem 0.85rem;
  white-space: pre-wrap;
}
.failed {
  color: var(--bad);
  background: var(--bad-paper);
  border-radius: 8px;
  padding: 0.6rem 0.85rem;
}
.aside {
  color: var(--faint);
  margin: 0;
  font-size: 0.86rem;
}
.hljs-keyword,
.hljs-literal,
.hljs-built_in {
  color: var(--keyword);
}
.hljs-string,
.hljs-regexp {
  color: var(--string);
}
.hljs-number {
  color: var(--number);
}
.hljs-comment {
  color: var(--comment);
  font-style: italic;
}
.hljs-title {
  color: var(--title);
}
@media (max-width: 70rem) {
  .number {
    display: none;
  }
}
@media (max-width: 40rem) {
  main {
    padding: 1.5rem 1rem 3rem;
  }
}
@media print {
  .code,
  .display,
  .outputs pre {
    overflow: visible;
    white-space: pre-wrap;
  }
  .cell {
    break-inside: avoid;
  }
}`
