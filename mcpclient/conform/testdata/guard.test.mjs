// node --test guard.test.mjs: each rule of guard.mjs on a made-up suite of two revisions.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

const home = import.meta.dirname;
const ok = { id: 'own', status: 'SUCCESS' };
const wire = { id: 'wire-schema-valid', status: 'SUCCESS' };
const failed = { id: 'own', status: 'FAILURE' };
const warned = { id: 'own', status: 'WARNING' };
const skipped = { id: 'own', status: 'SKIPPED' };

// judge runs the guard on what a run of a revision, 2 by default, left: the checks of each scenario.
const judge = (t, { leg = 'client', revision = '2', runs, baseline = '' }) => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'guard-'));
  t.after(() => fs.rmSync(root, { recursive: true }));
  const write = (name, text) => {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  };
  write('pkg/package.json', '{}');
  fs.symlinkSync(path.join(home, 'node_modules'), path.join(root, 'pkg/node_modules'));
  write('pkg/requirements/1.yaml', 'client: [old]\nserver: []\nnot_scored: []\n');
  write('pkg/requirements/2.yaml',
    'client: [a, auth/b]\nserver: [s]\nnot_scored:\n  - {scenario: extra, leg: client}\n  - {scenario: extra-s, leg: server}\n');
  write('baseline.yml', baseline);
  for (const [scenario, checks] of Object.entries(runs)) write(`out/${scenario}-2026-01-01T00-00-00-000Z/checks.json`, JSON.stringify(checks));
  const r = spawnSync(process.execPath, [path.join(home, 'guard.mjs'), path.join(root, 'pkg'), path.join(root, 'out'), revision, leg,
    path.join(root, 'baseline.yml'), path.join(root, 'counts.json')], { encoding: 'utf8' });
  assert.equal(r.stderr, '');
  return { code: r.status, lines: r.stdout.trim().split('\n'), counts: JSON.parse(fs.readFileSync(path.join(root, 'counts.json'))) };
};

test('all that is required succeeded', t => {
  const r = judge(t, { runs: { a: [ok, skipped], 'auth/b': [wire, ok] } });
  assert.deepEqual(r, { code: 0, lines: ['client 2: 2 passed, 0 failed'], counts: { Passed: 2, Failed: 0, Skipped: 0 } });
});

test('a scenario without a success of its own fails', t => {
  for (const checks of [[], [skipped], [wire]]) {
    const r = judge(t, { runs: { a: checks, 'auth/b': [ok] } });
    assert.deepEqual([r.code, r.lines], [1, ['FAILED a: nothing of it was exercised', 'client 2: 1 passed, 1 failed']]);
  }
});

test('a scenario that was not run at all fails, whatever begins like it', t => {
  const r = judge(t, { runs: { 'a-2nd': [ok], 'auth/b': [ok] } });
  assert.deepEqual([r.code, r.lines[0]], [1, 'FAILED a: nothing of it was exercised']);
});

test('a failure or a warning fails its scenario', t => {
  for (const bad of [failed, warned]) {
    const r = judge(t, { runs: { a: [ok, bad], 'auth/b': [ok] } });
    assert.deepEqual([r.code, r.lines[0]], [1, 'FAILED a: own']);
  }
});

test('a failure that is expected is counted apart', t => {
  const r = judge(t, { runs: { a: [ok], 'auth/b': [ok, failed] }, baseline: 'client: [auth/b]' });
  assert.deepEqual(r, { code: 0, lines: ['client 2: 1 passed, 0 failed, 1 expected to fail'], counts: { Passed: 1, Failed: 0, Skipped: 1 } });
});

test('an entry that passes is stale', t => {
  const r = judge(t, { runs: { a: [ok], 'auth/b': [ok] }, baseline: 'client: [auth/b]' });
  assert.deepEqual([r.code, r.lines], [1, ['FAILED auth/b: it passes, so its entry in the baseline is stale', 'client 2: 1 passed, 1 failed']]);
});

test('an entry that no revision knows is stale, one of another revision or of an extension is not', t => {
  const r = judge(t, { runs: { a: [ok], 'auth/b': [ok] }, baseline: 'client: [old, extra, gone]\nserver: [x]' });
  assert.deepEqual([r.code, r.lines[0], r.lines.length], [1, 'FAILED gone: no revision knows it, so its entry in the baseline is stale', 2]);
});

test('what we require beyond the frozen list is required at its revision, and for its leg, alone', t => {
  const runs = { a: [ok], 'auth/b': [ok], extra: [ok] };
  assert.deepEqual(judge(t, { runs, baseline: "beyond: {client: {'2': [extra], '1': [gone]}, server: {'2': [x]}}" }).lines,
    ['client 2: 3 passed, 0 failed']);
  assert.deepEqual(judge(t, { runs, baseline: "beyond: {client: {'2': [missing]}}" }).lines[0],
    'FAILED missing: nothing of it was exercised');
});

test('a revision without a frozen list has what we require of it', t => {
  const r = judge(t, { revision: '0', runs: { old: [ok] }, baseline: "beyond: {client: {'0': [old]}}" });
  assert.deepEqual([r.code, r.lines], [0, ['client 0: 1 passed, 0 failed']]);
});

test('the server has requirements, runs and expectations of its own', t => {
  assert.deepEqual(judge(t, { leg: 'server', runs: { 'server-s': [ok] }, baseline: 'client: [gone]' }).lines, ['server 2: 1 passed, 0 failed']);
  assert.equal(judge(t, { leg: 'server', runs: { s: [ok] } }).code, 1);
});
