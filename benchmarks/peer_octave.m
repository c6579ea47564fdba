% The workloads solved by Octave's queueing package, one JSON line each.
% Called as: octave --eval "cd benchmarks; peer_octave" with CASES in the environment.
1;

function say(name, seconds, answer, exact)
  printf('{"case": "%s", "tool": "Octave", "seconds": %s, "answer": %s, "exact": %s}\n', ...
         name, list(seconds), list(answer), truth(exact));
  fflush(stdout);
endfunction

function s = list(values)
  s = sprintf("%.17g, ", values);
  s = ["[" s(1:end-2) "]"];
endfunction

function s = truth(yes)
  if yes, s = "true"; else, s = "false"; endif
endfunction

function yes = wanted(name)
  names = strsplit(strtrim(getenv("CASES")), "|");
  yes = isempty(names{1}) || any(cellfun(@(start) strncmp(name, start, length(start)), names));
endfunction

function [seconds, answer] = measure(call)
  answer = call();
  seconds = [];
  for i = 1:3
    t = tic;
    call();
    seconds(end+1) = toc(t);
  endfor
endfunction

function x = one_class(n, demand, servers, think)
  [U, R, Q, X] = qncsmva(n, demand, ones(1, length(demand)), servers, think);
  x = X(1);
endfunction

function x = several(n, demand, think)
  [U, R, Q, X] = qncmmva(n, demand, ones(size(demand)), ones(1, columns(demand)), think);
  x = X(:, 1)';
endfunction

try
  pkg load queueing
catch
end_try_catch
if ! exist("qncsmva")
  exit(0);
endif
warning("off", "all");

data = jsondecode(getenv("WORKLOADS"));
for i = 1:numel(data)
  if iscell(data), w = data{i}; else, w = data(i); endif
  if ! wanted(w.name)
    continue;
  endif
  n = w.population(:)';
  if length(n) == 1
    [seconds, answer] = measure(@() one_class(n, w.demand(:)', w.servers(:)', w.think));
  else
    [seconds, answer] = measure(@() several(n, w.demand, w.think(:)'));
  endif
  say(w.name, seconds, answer, w.exact);
endfor
