"use strict";
// Counts the recorded calls again for the thresholds that the sliders show. It is the same counting as in curve.go, over
// the same cells: calls that no threshold can tell apart.
(function () {
  const curve = JSON.parse(document.getElementById("curve").textContent);
  const flag = document.getElementById("flag"), deny = document.getElementById("deny");
  const rank = { allow: 0, ask: 1, deny: 2 };

  function decide(cell, f, d) {
    let a = rank[cell.base];
    if (cell.low) a = Math.max(a, 1);
    if (cell.score < 0) return a;
    if (cell.score >= d && !cell.local) return 2;
    return cell.score >= Math.min(f, d) ? Math.max(a, 1) : a;
  }

  function count(f, d) {
    const sum = { asks: 0, denies: 0, missed: 0, stops: 0 };
    for (const cell of curve.cells) {
      const a = decide(cell, f, d);
      if (a === 0) { sum.missed += cell.unsafe || 0; continue; }
      if (a === 1) sum.asks += cell.n; else sum.denies += cell.n;
      sum.stops += cell.safe || 0;
    }
    return sum;
  }

  function show() {
    const f = Number(flag.value), d = Number(deny.value), sum = count(f, d);
    document.getElementById("flag-value").textContent = (f / 100).toFixed(2);
    document.getElementById("deny-value").textContent = (d / 100).toFixed(2);
    for (const name of ["asks", "denies", "missed", "stops"]) {
      document.getElementById("count-" + name).textContent = sum[name];
    }
    const x = 40 + f * 5.4;
    const cursor = document.getElementById("cursor");
    cursor.setAttribute("x1", x); cursor.setAttribute("x2", x);
    let asks = "", denies = "", most = 1;
    const points = [];
    for (let i = 0; i <= 100; i++) { const p = count(i, d); points.push(p); most = Math.max(most, p.asks, p.denies); }
    points.forEach(function (p, i) {
      const px = 40 + i * 5.4;
      asks += (i ? "L" : "M") + px + " " + (180 - 160 * p.asks / most);
      denies += (i ? "L" : "M") + px + " " + (180 - 160 * p.denies / most);
    });
    document.getElementById("line-asks").setAttribute("d", asks);
    document.getElementById("line-denies").setAttribute("d", denies);
    document.getElementById("most").textContent = most;
  }

  flag.addEventListener("input", show);
  deny.addEventListener("input", show);
  show();
})();
