// Judges what the conformance suite wrote down of a run, more strictly than the suite does itself: there, a
// scenario without any check counts as passed, so a client that does nothing "passes" some.
//
//   node guard.mjs PACKAGE OUT REVISION LEG BASELINE [COUNTS]
//
// PACKAGE is node_modules/@modelcontextprotocol/conformance, OUT what the suite wrote with -o, empty before; LEG is
// client or server; BASELINE names the scenarios that are expected to fail, in the form of the suite's
// --expected-failures, whole scenarios only. COUNTS is a file for the numbers, read by .ci/testsum.
//
// Every scenario that PACKAGE/requirements/REVISION.yaml requires of LEG, and every one that BASELINE requires beyond
// that (beyond: LEG: REVISION: a list), must have a check of its own that succeeded, and none that failed or warned. One
// that BASELINE expects to fail must not be so: that entry is stale, and so is one that no revision knows.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const [pkg, out, revision, leg, baseline, counts] = process.argv.slice(2);
const { parse } = createRequire(path.resolve(pkg, 'package.json'))('yaml');

const requirements = file => {
  const all = parse(fs.readFileSync(path.join(pkg, 'requirements', file), 'utf8'));
  const unscored = all.not_scored.filter(s => s.leg === leg).map(s => s.scenario);
  return { required: all[leg], known: [...all[leg], ...unscored] };
};
const known = new Set(fs.readdirSync(path.join(pkg, 'requirements')).flatMap(f => requirements(f).known));
const ours = parse(fs.readFileSync(baseline, 'utf8'));
const expected = new Set(ours?.[leg] ?? []);
const frozen = fs.existsSync(path.join(pkg, 'requirements', `${revision}.yaml`)) ? requirements(`${revision}.yaml`).required : [];
const required = [...frozen, ...(ours?.beyond?.[leg]?.[revision] ?? [])];

// The suite keeps a run of auth/x in OUT/auth/x-TIME, of a server's y in OUT/server-y-TIME.
const checks = scenario => {
  const name = leg === 'server' ? `server-${scenario}` : scenario;
  const folder = path.join(out, path.dirname(name));
  const runs = fs.existsSync(folder)
    ? fs.readdirSync(folder).filter(d => d.startsWith(path.basename(name)) && /^-\d{4}-/.test(d.slice(path.basename(name).length)))
    : [];
  return runs.flatMap(d => JSON.parse(fs.readFileSync(path.join(folder, d, 'checks.json'), 'utf8')));
};
const fault = scenario => {
  const all = checks(scenario);
  const bad = all.filter(c => c.status === 'FAILURE' || c.status === 'WARNING');
  if (bad.length) return [...new Set(bad.map(c => c.id))].join(', ');
  // What the suite says of every message on the wire is no check of the scenario.
  if (!all.some(c => c.status === 'SUCCESS' && !c.id.startsWith('wire-schema'))) return 'nothing of it was exercised';
};

const n = { Passed: 0, Failed: 0, Skipped: 0 };
const fail = (scenario, why) => { n.Failed++; console.log(`FAILED ${scenario}: ${why}`); };
for (const scenario of required) {
  const why = fault(scenario);
  if (!expected.has(scenario)) why ? fail(scenario, why) : n.Passed++;
  else if (why) n.Skipped++;
  else fail(scenario, 'it passes, so its entry in the baseline is stale');
}
for (const scenario of expected) {
  if (!known.has(scenario)) fail(scenario, 'no revision knows it, so its entry in the baseline is stale');
}
console.log(`${leg} ${revision}: ${n.Passed} passed, ${n.Failed} failed` + (n.Skipped ? `, ${n.Skipped} expected to fail` : ''));
if (counts) fs.writeFileSync(counts, JSON.stringify(n));
process.exit(n.Failed ? 1 : 0);
