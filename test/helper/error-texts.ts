import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/*
 * Where the words of errors come from: from every `new …Error(…)` back through constants, helper functions and their callers,
 * branches, concatenations and joined lists, to the texts that are written in the source. Names are looked up as the language does,
 * without types: exported names are unique in src.
 */

/** A text of an error that stands in the source without the tag `sentence`. */
export interface PlainText {
  readonly file: string
  readonly line: number
  readonly node: ts.Node
  /** The text, with `{1}` for what is filled in. */
  readonly text: string
  /** Whether it stands within another text. */
  readonly isPart: boolean
}

type FunctionNode = ts.FunctionLikeDeclaration

const isText = (node: ts.Node): node is ts.TemplateExpression | ts.StringLiteralLike =>
  ts.isTemplateExpression(node) || ts.isStringLiteralLike(node)

/** A template as the catalogue has it. */
export function templateText(node: ts.TemplateLiteral | ts.StringLiteralLike): string {
  if (!ts.isTemplateExpression(node)) return node.text
  return node.templateSpans.reduce((sum, span, i) => `${sum}{${i + 1}}${span.literal.text}`, node.head.text)
}

export const isSentence = (node: ts.Node): node is ts.TaggedTemplateExpression =>
  ts.isTaggedTemplateExpression(node) && /(^|\.)(sentence|say)$/.test(node.tag.getText())

/** Words of a language, not only names, codes and signs: of one word only those that are no name. */
function isProse(text: string): boolean {
  const bare = text.replace(/\{\d+\}/g, ' ')
  if (!/[a-z]{2,}/.test(bare)) return false
  return lone.test(bare.trim()) || !/^[\w.:\-/[\]()'"`=<>]*$/.test(bare.replace(/: |^\s+|\s+$/g, ''))
}

/** Lone words that are no name of an option, of a value or of a column. */
const lone =
  /^(an?|all|and|or|of|arrays?|booleans|empty|false|functions?|lists?|missing|nothing|numbers?|objects?|tables?|texts?|values)$/

/** Methods of arrays whose function is given the elements. */
const overElements = /^(map|flatMap|filter|find|forEach|some|every)$/

export class ErrorTexts {
  readonly found: PlainText[] = []
  readonly sources = new Map<string, ts.SourceFile>()
  readonly #seen = new Set<string>()
  readonly #kept = new Set<ts.Node>()
  /** Calls that are being followed into their functions, the innermost last. */
  readonly #into: { readonly own: ts.Node; readonly call: ts.CallExpression }[] = []
  readonly #calls = new Map<string, ts.CallExpression[]>()
  readonly #properties = new Map<string, ts.Expression[]>()
  readonly #methods = new Map<string, FunctionNode[]>()

  constructor(root: string) {
    for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!/\.ts$/.test(name) || /\.d\.ts$/.test(name)) continue
      const text = readFileSync(join(root, name), 'utf8')
      this.sources.set(name, ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true))
    }
    for (const source of this.sources.values()) this.#index(source)
    for (const source of this.sources.values()) this.#start(source)
  }

  #index(node: ts.Node): void {
    const add = <T>(map: Map<string, T[]>, key: string, one: T) => void (map.get(key)?.push(one) ?? map.set(key, [one]))
    if (ts.isCallExpression(node)) {
      const callee = node.expression
      const name = ts.isIdentifier(callee) ? callee.text : ts.isPropertyAccessExpression(callee) ? callee.name.text : ''
      if (name) add(this.#calls, name, node)
    }
    if (ts.isPropertyAssignment(node)) add(this.#properties, node.name.getText(), node.initializer)
    if (ts.isMethodDeclaration(node)) add(this.#methods, node.name.getText(), node)
    ts.forEachChild(node, (child) => this.#index(child))
  }

  #start(node: ts.Node): void {
    if (
      ts.isNewExpression(node) &&
      ts.isIdentifier(node.expression) &&
      /(Error|Failure|^Refusal)$/.test(node.expression.text)
    )
      for (const one of node.arguments ?? []) this.#trace(one, false)
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword)
      for (const one of node.arguments) this.#trace(one, false)
    ts.forEachChild(node, (child) => this.#start(child))
  }

  #text(node: ts.TemplateExpression | ts.StringLiteralLike, isPart: boolean): void {
    const text = templateText(node)
    if (ts.isTemplateExpression(node)) for (const span of node.templateSpans) this.#trace(span.expression, true)
    if (this.#kept.has(node)) return
    // What is put together of others is found by its own template.
    const isWhole =
      ts.isTemplateExpression(node) &&
      (isPart ? /\s/.test(text) && !/^[\w.]*(\{1\})?: [\w.]+(\{\d\})?$/.test(text) : text !== '{1}')
    const words = isWhole || (isPart ? isProse(text) : / /.test(text))
    if (!words) return
    this.#kept.add(node)
    const source = node.getSourceFile()
    const line = source.getLineAndCharacterOfPosition(node.getStart()).line + 1
    this.found.push({ file: source.fileName, line, node, text, isPart })
  }

  /** Follows an expression to the texts that it may be. */
  #trace(node: ts.Node | undefined, isPart: boolean): void {
    if (!node) return
    const within = this.#into.map(({ call }) => `${call.getSourceFile().fileName}:${call.pos}`).slice(-2)
    const key = [node.getSourceFile().fileName, node.pos, node.end, node.kind, isPart, ...within].join()
    if (this.#seen.has(key) || this.#into.length > 6) return
    this.#seen.add(key)
    if (isText(node)) this.#text(node, isPart)
    else if (isSentence(node)) {
      if (ts.isTemplateExpression(node.template))
        for (const span of node.template.templateSpans) this.#trace(span.expression, true)
    } else if (ts.isConditionalExpression(node)) {
      this.#trace(node.whenTrue, isPart)
      this.#trace(node.whenFalse, isPart)
    } else if (ts.isBinaryExpression(node)) this.#binary(node, isPart)
    else if (ts.isArrayLiteralExpression(node)) for (const one of node.elements) this.#trace(one, true)
    else if (ts.isIdentifier(node)) this.#name(node, isPart)
    else if (ts.isPropertyAccessExpression(node)) this.#property(node.expression, node.name.text, isPart)
    else if (ts.isElementAccessExpression(node)) this.#element(node, isPart)
    else if (ts.isCallExpression(node)) this.#call(node, isPart)
    else if (
      ts.isParenthesizedExpression(node) ||
      ts.isAsExpression(node) ||
      ts.isSatisfiesExpression(node) ||
      ts.isNonNullExpression(node) ||
      ts.isAwaitExpression(node) ||
      ts.isSpreadElement(node)
    )
      this.#trace(node.expression, isPart)
  }

  #binary(node: ts.BinaryExpression, isPart: boolean): void {
    const { kind } = node.operatorToken
    const { AmpersandAmpersandToken, BarBarToken, PlusToken, QuestionQuestionToken } = ts.SyntaxKind
    if (kind === BarBarToken || kind === QuestionQuestionToken) this.#trace(node.left, isPart)
    if (kind === BarBarToken || kind === QuestionQuestionToken || kind === AmpersandAmpersandToken)
      this.#trace(node.right, isPart)
    if (kind === PlusToken) {
      this.#trace(node.left, true)
      this.#trace(node.right, true)
    }
  }

  #declaration(name: ts.Identifier): ts.Node | undefined {
    for (let at: ts.Node = name.parent; at; at = at.parent) {
      const found = declaredIn(at, name.text)
      if (found && ts.isImportSpecifier(found)) return this.#imported(found)
      if (found) return found
    }
    return undefined
  }

  #imported(specifier: ts.ImportSpecifier): ts.Node | undefined {
    const from = specifier.parent.parent.parent.moduleSpecifier as ts.StringLiteral
    if (!from.text.startsWith('.')) return undefined
    const path = join(dirname(specifier.getSourceFile().fileName), from.text.replace(/\.js$/, '.ts'))
    const source = this.sources.get(path)
    return source && declaredIn(source, (specifier.propertyName ?? specifier.name).text)
  }

  #name(node: ts.Identifier, isPart: boolean): void {
    const found = this.#declaration(node)
    if (found) this.#declared(found, node, isPart)
  }

  #declared(found: ts.Node, node: ts.Identifier, isPart: boolean): void {
    if (ts.isParameter(found)) {
      this.#trace(found.initializer, isPart)
      this.#argument(found, isPart)
    } else if (ts.isBindingElement(found)) this.#bound(found, isPart)
    else if (ts.isVariableDeclaration(found)) {
      if (ts.isForOfStatement(found.parent.parent)) this.#trace(found.parent.parent.expression, isPart)
      this.#trace(found.initializer, isPart)
      this.#written(found, node.text, isPart)
    }
  }

  /** What is assigned to a variable later, or pushed into it. */
  #written(declared: ts.VariableDeclaration, name: string, isPart: boolean): void {
    let scope: ts.Node = declared
    while (!ts.isBlock(scope) && !ts.isSourceFile(scope) && !ts.isCaseClause(scope)) scope = scope.parent
    const visit = (node: ts.Node): void => {
      if (ts.isBinaryExpression(node) && ts.isIdentifier(node.left) && node.left.text === name) {
        const { EqualsToken, PlusEqualsToken } = ts.SyntaxKind
        if (node.operatorToken.kind === EqualsToken) this.#trace(node.right, isPart)
        if (node.operatorToken.kind === PlusEqualsToken) this.#trace(node.right, true)
      }
      if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
        const { expression, name: method } = node.expression
        if (method.text === 'push' && ts.isIdentifier(expression) && expression.text === name)
          for (const one of node.arguments) this.#trace(one, true)
      }
      ts.forEachChild(node, visit)
    }
    visit(scope)
  }

  #bound(found: ts.BindingElement, isPart: boolean): void {
    this.#trace(found.initializer, isPart)
    const pattern = found.parent
    const holder = pattern.parent
    if (ts.isArrayBindingPattern(pattern) && ts.isVariableDeclaration(holder)) {
      const place = pattern.elements.indexOf(found)
      const value = holder.initializer
      if (value && ts.isArrayLiteralExpression(value)) this.#trace(value.elements[place], isPart)
      else if (value) this.#trace(value, true)
      return
    }
    const name = ((found.propertyName ?? found.name) as ts.Identifier).getText()
    if (ts.isParameter(holder) || ts.isVariableDeclaration(holder)) this.#named(name, found.getSourceFile(), isPart)
  }

  /** What a property of this name is set to: in the same file, and elsewhere where the name says that it holds words. */
  #named(name: string, source: ts.SourceFile, isPart: boolean): void {
    for (const value of this.#properties.get(name) ?? [])
      if (isReason.test(value.getSourceFile().fileName)) continue
      else if (value.getSourceFile() === source ? worded.test(name) : wordedAnywhere.test(name))
        this.#trace(value, isPart)
  }

  /** What a parameter is given by those who call its function. */
  #argument(parameter: ts.ParameterDeclaration, isPart: boolean): void {
    const own = parameter.parent as FunctionNode
    const place = own.parameters.indexOf(parameter)
    const outer = own.parent
    if (ts.isCallExpression(outer) && ts.isPropertyAccessExpression(outer.expression) && place === 0) {
      if (overElements.test(outer.expression.name.text)) this.#trace(outer.expression.expression, isPart)
      return
    }
    const into = this.#into.findLast((one) => one.own === own)
    if (into) {
      const given = into.call.arguments
      // Whoever is followed further is outside of that call.
      const inner = this.#into.splice(this.#into.indexOf(into))
      for (const one of parameter.dotDotDotToken ? given.slice(place) : given.slice(place, place + 1))
        this.#trace(one, isPart)
      this.#into.push(...inner)
      return
    }
    const name = nameOf(own)
    if (name === undefined) return
    if (ts.isMethodDeclaration(own) && (this.#methods.get(name)?.length ?? 0) > 1 && !name.startsWith('#')) return
    for (const call of this.#calls.get(name) ?? []) {
      if (!this.#isCallOf(call, own)) continue
      const given = call.arguments[place]
      if (parameter.dotDotDotToken) for (const one of call.arguments.slice(place)) this.#trace(one, isPart)
      else this.#trace(given, isPart)
    }
  }

  #isCallOf(call: ts.CallExpression, own: FunctionNode): boolean {
    if (ts.isPropertyAccessExpression(call.expression))
      return (
        ts.isMethodDeclaration(own) && (!/^#/.test(nameOf(own) ?? '') || call.getSourceFile() === own.getSourceFile())
      )
    const found = this.#declaration(call.expression as ts.Identifier)
    return found === own || (found !== undefined && ts.isVariableDeclaration(found) && functionOf(found) === own)
  }

  #property(holder: ts.Expression, name: string, isPart: boolean): void {
    if (ts.isIdentifier(holder)) {
      const found = this.#declaration(holder)
      const value = found && ts.isVariableDeclaration(found) ? bare(found.initializer) : undefined
      if (value && ts.isObjectLiteralExpression(value)) {
        for (const one of value.properties)
          if (ts.isPropertyAssignment(one) && one.name.getText() === name) this.#trace(one.initializer, isPart)
        return
      }
    }
    this.#named(name, holder.getSourceFile(), isPart)
  }

  #element(node: ts.ElementAccessExpression, isPart: boolean): void {
    const holder = node.expression
    const found = ts.isIdentifier(holder) ? this.#declaration(holder) : undefined
    const value = found && ts.isVariableDeclaration(found) ? bare(found.initializer) : undefined
    if (value && ts.isObjectLiteralExpression(value))
      for (const one of value.properties) if (ts.isPropertyAssignment(one)) this.#trace(one.initializer, isPart)
    if (value && ts.isArrayLiteralExpression(value)) for (const one of value.elements) this.#trace(one, isPart)
  }

  #call(node: ts.CallExpression, isPart: boolean): void {
    const callee = node.expression
    if (ts.isPropertyAccessExpression(callee)) {
      const method = callee.name.text
      if (/^(join|trim|slice|replace|replaceAll|toString|concat|sort|reverse|filter|values)$/.test(method)) {
        if (method === 'join' || method === 'concat') for (const one of node.arguments) this.#trace(one, true)
        this.#trace(callee.expression, isPart || method === 'join')
      } else if (method === 'map' || method === 'flatMap') this.#returned(node.arguments[0], true)
      else {
        const own = this.#methods.get(method) ?? []
        const here = own.filter((one) => one.getSourceFile() === node.getSourceFile())
        for (const one of here.length > 0 ? here : own.length === 1 ? own : []) this.#returned(one, isPart, node)
      }
      return
    }
    if (!ts.isIdentifier(callee)) return
    if (callee.text === 'String') this.#trace(node.arguments[0], isPart)
    const found = this.#declaration(callee)
    if (found) this.#returned(ts.isVariableDeclaration(found) ? functionOf(found) : found, isPart, node)
  }

  /** What a function gives back. */
  #returned(found: ts.Node | undefined, isPart: boolean, call?: ts.CallExpression): void {
    if (found && ts.isIdentifier(found)) {
      const declared = this.#declaration(found)
      this.#returned(declared && ts.isVariableDeclaration(declared) ? functionOf(declared) : declared, isPart)
      return
    }
    if (!found || !ts.isFunctionLike(found) || !('body' in found) || !found.body) return
    if (call) this.#into.push({ own: found, call })
    this.#results(found.body, isPart)
    if (call) this.#into.pop()
  }

  #results(body: ts.Node, isPart: boolean): void {
    if (!ts.isBlock(body)) {
      this.#trace(body, isPart)
      return
    }
    const visit = (node: ts.Node): void => {
      if (ts.isReturnStatement(node)) this.#trace(node.expression, isPart)
      if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit)
    }
    ts.forEachChild(body, visit)
  }
}

/** Properties that hold words for people. */
const worded = /^(why|what|wrong|right|hint|how|said|fault|message|remedy|need|needs|lacks)$/
/** Reasons of verdicts and findings, which are rows and no errors. */
const isReason = /^research\/checks\/(?!anomaly\/compute\/(price-table|rules-in-force))/
const wordedAnywhere = /^(why|wrong|right|hint|remedy)$/

function bare(node: ts.Expression | undefined): ts.Expression | undefined {
  let at = node
  while (at && (ts.isAsExpression(at) || ts.isSatisfiesExpression(at) || ts.isParenthesizedExpression(at)))
    at = at.expression
  return at
}

function functionOf(found: ts.VariableDeclaration): FunctionNode | undefined {
  const value = bare(found.initializer)
  return value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ? value : undefined
}

function nameOf(own: FunctionNode): string | undefined {
  if (own.name) return own.name.getText()
  return ts.isVariableDeclaration(own.parent) ? own.parent.name.getText() : undefined
}

/** What a name is declared as right within a node: a parameter, a variable, a function, an import. */
function declaredIn(node: ts.Node, name: string): ts.Node | undefined {
  const ofBinding = (one: ts.VariableDeclaration | ts.ParameterDeclaration): ts.Node | undefined => {
    if (ts.isIdentifier(one.name)) return one.name.text === name ? one : undefined
    return one.name.elements.find(
      (element): element is ts.BindingElement => ts.isBindingElement(element) && element.name.getText() === name,
    )
  }
  const ofList = (list: ts.VariableDeclarationList) => list.declarations.map(ofBinding).find(Boolean)
  if (ts.isFunctionLike(node)) return node.parameters.map(ofBinding).find(Boolean)
  if (
    (ts.isForOfStatement(node) || ts.isForStatement(node)) &&
    node.initializer &&
    ts.isVariableDeclarationList(node.initializer)
  )
    return ofList(node.initializer)
  if (!ts.isBlock(node) && !ts.isSourceFile(node) && !ts.isCaseClause(node)) return undefined
  for (const one of node.statements) {
    if (ts.isVariableStatement(one)) {
      const found = ofList(one.declarationList)
      if (found) return found
    }
    if (ts.isFunctionDeclaration(one) && one.name?.text === name) return one
    const bindings = ts.isImportDeclaration(one) ? one.importClause?.namedBindings : undefined
    if (bindings && ts.isNamedImports(bindings)) {
      const found = bindings.elements.find((element) => element.name.text === name)
      if (found) return found
    }
  }
  return undefined
}
