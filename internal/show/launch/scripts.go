package launch

import (
	"fmt"
	"io"
	"path"
	"strings"
	"text/template"
)

// The files that start an answer.
const (
	HostFile = "hostfile"   // hosts in the order of their ranks, as mpirun and others read them
	RunFile  = "run.sh"     // starts the ranks of the host that it runs on
	JobFile  = "job.sbatch" // runs that on every host of a Slurm job
)

// Files are these.
var Files = []string{HostFile, RunFile, JobFile}

var script = template.Must(template.New(RunFile).Parse(`#!/usr/bin/env bash
# Starts the ranks of this host; run it on every host, where train.py is: bash run.sh train.py
# Hosts are in the order of their ranks. NODE_RANK=K says which one this is, where its name does not.
set -euo pipefail
hosts=({{range $k, $h := .}}{{if $k}} {{end}}{{$h.Name}}{{end}})
slots=({{range $k, $h := .}}{{if $k}} {{end}}{{$h.Ranks}}{{end}})
rank=${NODE_RANK:-}
for k in "${!hosts[@]}"; do
  case ${hosts[$k]} in "$(hostname)" | "$(hostname -s)") rank=${rank:-$k} ;; esac
done
if [ "${#hosts[@]}" -eq 1 ]; then rank=0 MASTER_ADDR=localhost; fi
if [ -z "$rank" ]; then
  echo "run.sh: $(hostname) is none of ${hosts[*]}: set NODE_RANK to 0 … $((${#hosts[@]} - 1)), and MASTER_ADDR" >&2
  exit 2
fi
exec torchrun --nnodes "${#hosts[@]}" --nproc-per-node "${slots[$rank]}" --node-rank "$rank" \
  --master-addr "${MASTER_ADDR:-${hosts[0]}}" --master-port "${MASTER_PORT:-29500}" "${@:-train.py}"
`))

// Scripts are the files of a folder by name, for ranks in the order of these hosts; known says that hosts have these
// names.
func Scripts(hosts []Host, known bool, folder string) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{
		HostFile: func(w io.Writer) error {
			var b strings.Builder
			fmt.Fprintln(&b, "# hosts in the order of their ranks")
			for _, h := range hosts {
				fmt.Fprintf(&b, "%s slots=%d\n", h.Name, h.Ranks)
			}
			_, err := io.WriteString(w, b.String())
			return err
		},
		RunFile: func(w io.Writer) error { return script.Execute(w, hosts) },
		JobFile: func(w io.Writer) error {
			_, err := io.WriteString(w, slurm(hosts, known, folder))
			return err
		},
	}
}

// slurm is a job that runs the script on every host. Slurm sorts the hosts of a job by their names: where names are
// known, the script finds its rank by the name; else ranks follow Slurm's order.
func slurm(hosts []Host, known bool, folder string) string {
	var b strings.Builder
	most, names := 0, []string{}
	for _, h := range hosts {
		most, names = max(most, h.Ranks), append(names, h.Name)
	}
	fmt.Fprintf(&b, "#!/usr/bin/env bash\n# Submit it where train.py is: sbatch %s\n#SBATCH --nodes=%d\n",
		Quoted(path.Join(folder, JobFile)), len(hosts))
	fmt.Fprintf(&b, "#SBATCH --ntasks-per-node=1\n#SBATCH --gpus-per-node=%d\n", most)
	start := `srun bash -c 'NODE_RANK=$SLURM_NODEID bash "$0" train.py' "$script"`
	if known {
		fmt.Fprintf(&b, "#SBATCH --nodelist=%s\n", strings.Join(names, ","))
		start = `srun bash "$script" train.py`
	}
	fmt.Fprintf(&b, "set -euo pipefail\nscript=%s\n", Quoted(path.Join(folder, RunFile)))
	if !known {
		b.WriteString("MASTER_ADDR=$(scontrol show hostnames \"$SLURM_JOB_NODELIST\" | head -n 1)\nexport MASTER_ADDR\n")
	}
	return b.String() + start + "\n"
}

// Quoted is text as a shell takes it literally.
func Quoted(text string) string {
	if strings.Trim(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789./_-") == "" {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
