% Answers of the queueing package, one JSON line a network.
% CASES in the environment: a file of lines  name;populations;think times;demands by class.
pkg load queueing
file = fopen(getenv("CASES"));
while ischar(line = fgetl(file))
  part = strsplit(line, ";");
  n = str2num(part{2}); z = str2num(part{3}); d = eval(["[" regexprep(strrep(part{4}(2:end-1), "], [", "]; ["), "^$", "") "]"]);
  m = ones(1, columns(d));
  try
    if numel(n) == 1
      [u, r, q, x] = qncsmva(n, d, ones(size(d)), m, z);
      throughput = x(1);
    else
      [u, r, q, x] = qncmmva(n, d, ones(size(d)), m, z);
      throughput = x(:, 1)';
    endif
    printf("{\"network\": \"%s\", \"throughput\": [%s], \"queue_length\": [%s]}\n", part{1}, ...
           strjoin(arrayfun(@(v) sprintf("%.17g", v), throughput, "UniformOutput", false), ", "), ...
           strjoin(arrayfun(@(v) sprintf("%.17g", v), reshape(q', 1, []), ...
                            "UniformOutput", false), ", "));
  catch problem
    printf("{\"network\": \"%s\", \"problem\": \"%s\"}\n", part{1}, strrep(problem.message, "\"", "'"));
  end_try_catch
  fflush(stdout);
endwhile
